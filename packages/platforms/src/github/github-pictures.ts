import { createAuthorization } from '../http/authorization.ts';
import { createPictureSource, type PictureSource } from '../picture-source.ts';
import type { GitHubSettings } from './github-options.ts';

/** Paths of what people drop into a text: today's, and that of some years ago. */
const uploads =
  /^\/(?:user-attachments\/assets|[\w.-]{1,100}\/[\w.-]{1,100}\/assets\/\d{1,20})\/[0-9a-f-]{36}$/;

/** Hosts of GitHub.com that have pictures without a token, and to which it redirects with a signature. */
const pictureHosts = new Set([
  'user-images.githubusercontent.com',
  'private-user-images.githubusercontent.com',
]);

const storageHost =
  /^(?:[a-z0-9-]{1,60}\.githubusercontent\.com|github-production-user-asset-[0-9a-z]{1,20}\.s3\.amazonaws\.com)$/;

/** Pictures in issues, pull requests and their comments. */
export function createGitHubPictures(settings: GitHubSettings): PictureSource {
  const { baseUrl, fetch, timeoutMs, credential, onRequest } = settings;
  const isDotCom = new URL(baseUrl).origin === 'https://api.github.com';
  const web = isDotCom ? 'https://github.com' : new URL(baseUrl).origin;
  const isPlain = ({ protocol, hostname, port }: URL) =>
    isDotCom && protocol === 'https:' && port === '' && pictureHosts.has(hostname);
  const isUpload = (url: URL) => (url.origin === web && uploads.test(url.pathname)) || isPlain(url);
  return createPictureSource({
    service: 'GitHub',
    locate: (link) => {
      const url = URL.parse(link);
      return url !== null && url.username === '' && url.password === '' && isUpload(url) ? url.href : null;
    },
    isUpload,
    isCredited: ({ origin }) => origin === web,
    isOwnHost: (url) => {
      const { origin, protocol, hostname, port } = url;
      return (
        origin === web || (isDotCom && protocol === 'https:' && port === '' && storageHost.test(hostname))
      );
    },
    authorization: createAuthorization(credential, (token) => ['authorization', `Bearer ${token}`]),
    ...{ fetch, timeoutMs, onRequest },
  });
}
