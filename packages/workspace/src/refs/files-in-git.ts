import { createHash } from 'node:crypto';

/** Files by their paths, which have `/` between segments. */
export type StoredFiles = ReadonlyMap<string, Uint8Array>;

/** A commit that is about to be made. */
export interface NewCommit {
  readonly files: StoredFiles;
  /** Null for one without a history. */
  readonly parent: string | null;
  readonly message: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Tells whether the repository has the object of this name already: its contents are not written again. */
  readonly isKnown: (blob: string) => boolean;
}

/** Composes the input of `git fast-import` that makes a commit, and prints its name. */
export function formatCommit({ files, parent, message, now, isKnown }: NewCommit): Uint8Array {
  const sorted = [...files].sort(([one], [other]) => (one < other ? -1 : 1));
  const parts: (string | Uint8Array)[] = [
    'feature done\ncommit refs/heads/made\nmark :1\n',
    `committer ${author} ${Math.floor(now / 1_000)} +0000\n`,
    toData(Buffer.from(message)),
    parent === null ? '' : `from ${parent}\n`,
    'deleteall\n',
  ];
  for (const [path, contents] of sorted) {
    const blob = nameBlob(contents);
    if (isKnown(blob)) parts.push(`M 100644 ${blob} ${quote(path)}\n`);
    else parts.push(`M 100644 inline ${quote(path)}\n`, toData(contents));
  }
  parts.push('get-mark :1\ndone\n');
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
}

const author = 'agent <agent@localhost>';

function toData(contents: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from(`data ${contents.length}\n`), contents, Buffer.from('\n')]);
}

/** Quotes a path as git does in C. */
function quote(path: string): string {
  return `"${path.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')}"`;
}

/** Names the object that git stores these contents as. */
export function nameBlob(contents: Uint8Array): string {
  return createHash('sha1').update(`blob ${contents.length}\0`).update(contents).digest('hex');
}

/** A file of a tree. */
export interface TreeEntry {
  readonly path: string;
  readonly blob: string;
}

/** Reads what `git ls-tree -r -z` printed. Links and submodules are left out. */
export function parseTree(listed: string): readonly TreeEntry[] {
  return listed.split('\0').flatMap((line) => {
    const [, blob, path] = /^100\d{3} blob ([0-9a-f]{40,64})\t(.+)$/s.exec(line) ?? [];
    return blob === undefined || path === undefined ? [] : [{ blob, path }];
  });
}

/** Reads the contents that `git cat-file --batch` printed for these files, in their order. @throws where one is missing */
export function parseContents(printed: Buffer, entries: readonly TreeEntry[]): StoredFiles {
  const files = new Map<string, Uint8Array>();
  let at = 0;
  for (const { path } of entries) {
    const end = printed.indexOf(0x0a, at);
    const [, size] = / blob (\d+)$/.exec(printed.toString('latin1', at, end)) ?? [];
    if (size === undefined) throw new Error(`git has no contents of "${path}"`);
    const begin = end + 1;
    at = begin + Number(size);
    files.set(path, printed.subarray(begin, at));
    at += 1;
  }
  return files;
}
