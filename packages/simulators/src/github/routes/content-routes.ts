import { resolveCommit } from '../../shared/git/refs.ts';
import { findEntry, listTree, readBlob, type TreeEntry } from '../../shared/git/trees.ts';
import { ok, rawText } from '../http/answers.ts';
import { mediaTypeOf } from '../http/media-type.ts';
import { onRepository, type RepositoryCall, reads } from '../http/requirements.ts';
import { type Answer, parameter, type Route, route } from '../http/route.ts';
import { repositoryApi, repositoryPage, type Urls } from '../http/urls.ts';
import type { Repository } from '../state/model.ts';
import { notFound } from '../state/refusal.ts';
import type { Vendor } from '../vendor.ts';

/** Above this a file's content is left out of the JSON answer. @see https://docs.github.com/rest/repos/contents#get-repository-content */
const maxInlineBytes = 1024 * 1024;

const address = '/repos/{owner}/{repo}';
const docs = 'repos/contents#get-repository-content';
/** A folder's listing ends here. */
const maxDirectoryEntries = 1000;

/** Files and folders by their path. */
export const contentRoutes: readonly Route[] = [
  route(`GET ${address}/contents`, docs, onRepository(reads('contents'), getContent)),
  route(`GET ${address}/contents/{path+}`, docs, onRepository(reads('contents'), getContent)),
  route(
    `GET ${address}/readme`,
    'repos/contents#get-a-repository-readme',
    onRepository(reads('contents'), getReadme),
  ),
];

function getContent(call: RepositoryCall): Promise<Answer> {
  return showPath(call, parameter(call, 'path').replace(/^\/+|\/+$/g, ''));
}

async function getReadme(call: RepositoryCall): Promise<Answer> {
  const { commit } = await findCommit(call);
  const entries = await listTree(call.git, call.repository.gitDirectory, { tree: commit, recursive: false });
  const readme = entries?.find(({ path }) => /^readme(\.(md|txt|rst))?$/i.test(path));
  if (!readme) throw notFound();
  return showPath(call, readme.path);
}

async function showPath(call: RepositoryCall, path: string): Promise<Answer> {
  const { ref, commit } = await findCommit(call);
  const place = { repository: call.repository, urls: call.urls, ref };
  const entry = await findEntry(call.git, call.repository.gitDirectory, { commit, path });
  if (!entry) throw notFound();
  return entry.type === 'tree' ? showFolder(call, entry, place) : showOneFile(call, entry, place);
}

async function showFolder(call: RepositoryCall, folder: TreeEntry, place: ContentPlace): Promise<Answer> {
  const entries = await listTree(call.git, call.repository.gitDirectory, {
    tree: folder.sha,
    recursive: false,
  });
  const prefix = folder.path === '' ? '' : `${folder.path}/`;
  const shown = (entries ?? []).slice(0, maxDirectoryEntries);
  return ok(shown.map((entry) => showDirectoryEntry({ ...entry, path: prefix + entry.path }, place)));
}

async function showOneFile(call: RepositoryCall, entry: TreeEntry, place: ContentPlace): Promise<Answer> {
  if (entry.type === 'commit') return ok({ ...showDirectoryEntry(entry, place), submodule_git_url: null });
  const content = await readBlob(call.git, call.repository.gitDirectory, entry.sha);
  if (mediaTypeOf(call.headers) === 'raw') return rawText(content, 'application/vnd.github.raw+json');
  return ok(showFile(entry, content, place));
}

async function findCommit(call: RepositoryCall): Promise<{ readonly ref: string; readonly commit: string }> {
  const { defaultBranch, gitDirectory } = call.repository;
  const ref = call.query.get('ref') || defaultBranch;
  const commit = await resolveCommit(call.git, gitDirectory, ref.replace(/^refs\/heads\//, ''));
  if (commit) return { ref, commit };
  throw notFound(ref === defaultBranch ? 'This repository is empty.' : `No commit found for the ref ${ref}`);
}

interface ContentPlace {
  readonly repository: Repository;
  readonly urls: Urls;
  readonly ref: string;
}

/** A file with its content, Base64 in lines of 60. */
function showFile(entry: TreeEntry, content: Buffer, place: ContentPlace): Vendor['content-file'] {
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
function showDirectoryEntry(entry: TreeEntry, place: ContentPlace): Vendor['content-directory'][number] {
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
