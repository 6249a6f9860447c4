import type { TreeEntry } from '../../shared/git/trees.ts';
import { repositoryApi, repositoryPage, type Urls } from '../http/urls.ts';
import type { Repository } from '../state/model.ts';
import type { Vendor } from '../vendor.ts';

/** Above this a file's content is left out of the JSON answer. @see https://docs.github.com/rest/repos/contents#get-repository-content */
const maxInlineBytes = 1024 * 1024;

export interface ContentPlace {
  readonly repository: Repository;
  readonly urls: Urls;
  readonly ref: string;
}

/** A file with its content, Base64 in lines of 60. */
export function showFile(entry: TreeEntry, content: Buffer, place: ContentPlace): Vendor['content-file'] {
  const inline = content.length <= maxInlineBytes;
  return {
    ...showAddresses(entry, place),
    type: 'file',
    size: content.length,
    content: inline ? content.toString('base64').replace(/.{1,60}/g, '$&\n') : '',
    encoding: inline ? 'base64' : 'none',
  };
}

/** A file or folder in a folder's listing. */
export function showDirectoryEntry(
  entry: TreeEntry,
  place: ContentPlace,
): Vendor['content-directory'][number] {
  return { ...showAddresses(entry, place), type: entryType(entry), size: entry.size ?? 0 };
}

function entryType(entry: TreeEntry): 'dir' | 'file' | 'submodule' | 'symlink' {
  if (entry.type === 'tree') return 'dir';
  if (entry.type === 'commit') return 'submodule';
  return entry.mode === '120000' ? 'symlink' : 'file';
}

function showAddresses(entry: TreeEntry, { repository, urls, ref }: ContentPlace) {
  const path = entry.path.split('/').map(encodeURIComponent).join('/');
  const self = `${repositoryApi(urls, repository)}/contents/${path}?ref=${encodeURIComponent(ref)}`;
  const page = repositoryPage(urls, repository);
  const isFolder = entry.type === 'tree';
  const html = `${page}/${isFolder ? 'tree' : 'blob'}/${ref}/${path}`;
  const git = `${repositoryApi(urls, repository)}/git/${isFolder ? 'trees' : 'blobs'}/${entry.sha}`;
  return {
    name: entry.path.split('/').at(-1) ?? entry.path,
    path: entry.path,
    sha: entry.sha,
    url: self,
    html_url: html,
    git_url: git,
    download_url: isFolder ? null : `${page}/raw/${ref}/${path}`,
    _links: { self, git, html },
  };
}
