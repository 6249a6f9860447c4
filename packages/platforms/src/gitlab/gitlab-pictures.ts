import { createAuthorization } from '../http/authorization.ts';
import { createPictureSource } from '../http/picture-download.ts';
import type { PictureSource } from '../picture-source.ts';
import type { GitLabSettings } from './gitlab-options.ts';

/** End of the address of an upload, as texts link it: below the project, or below `/-/project/42`. */
const upload = /(?:^|\/)uploads\/([0-9a-f]{32})\/([^/?#]{1,250}\.(?:png|jpe?g|gif|webp))$/i;

/**
 * Pictures in issues, merge requests and their notes. They are asked of the API, which takes a token; their page takes a
 * session alone.
 *
 * @see https://docs.gitlab.com/api/project_markdown_uploads/#download-an-uploaded-file-by-secret-and-filename
 */
export function createGitLabPictures(
  settings: GitLabSettings,
  { projectId }: { readonly projectId: number },
): PictureSource {
  const { baseUrl, fetch, timeoutMs, credential, onRequest } = settings;
  const { origin } = new URL(baseUrl);
  const api = `${baseUrl}/api/v4/projects/${projectId}/uploads/`;
  return createPictureSource({
    service: 'GitLab',
    locate: (link) => {
      const isRelative = /^\/(?:-\/project\/\d{1,15}\/)?uploads\//.test(link);
      const url = URL.parse(link, isRelative ? `${baseUrl}/` : undefined);
      const [, secret, name] = upload.exec(decodePath(url)) ?? [];
      if (url?.origin !== origin || url.username !== '' || secret === undefined || name === undefined)
        return null;
      const [, project] = /\/-\/project\/(\d{1,15})\/uploads\//.exec(url.pathname) ?? [];
      if (project !== undefined && Number(project) !== projectId) return null;
      return `${api}${secret.toLowerCase()}/${encodeURIComponent(name)}`;
    },
    isUpload: ({ href }) => href.startsWith(api),
    isCredited: (url) => url.origin === origin,
    isOwnHost: (url) => url.origin === origin,
    authorization: createAuthorization(credential, (token) => ['private-token', token]),
    ...{ fetch, timeoutMs, onRequest },
  });
}

function decodePath(url: URL | null): string {
  try {
    return decodeURIComponent(url?.pathname ?? '');
  } catch {
    return '';
  }
}
