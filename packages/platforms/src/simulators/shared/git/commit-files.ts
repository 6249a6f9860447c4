import type { Git } from './git.ts';

export interface NewCommit {
  readonly branch: string;
  /** Commit that it stands on; null for the first one of a repository. */
  readonly parent: string | null;
  readonly files: Readonly<Record<string, string>>;
  readonly author: { readonly name: string; readonly email: string };
  readonly message: string;
  /** Seconds since the epoch. */
  readonly time: number;
}

/** Commits files to a branch of a bare repository, in one process whatever their number. */
export async function commitFiles(git: Git, directory: string, commit: NewCommit): Promise<void> {
  const { author } = commit;
  const lines = [
    `commit refs/heads/${commit.branch}\n`,
    `author ${author.name} <${author.email}> ${commit.time} +0000\n`,
    `committer ${author.name} <${author.email}> ${commit.time} +0000\n`,
    data(commit.message),
    commit.parent ? `from ${commit.parent}\n` : '',
    ...Object.entries(commit.files).map(
      ([path, text]) => `M ${modeOf(text)} inline ${quote(path)}\n${data(text)}`,
    ),
    'done\n',
  ];
  const args = ['fast-import', '--quiet', '--done', '--force', '--date-format=raw'];
  await git.read(directory, args, lines.join(''));
}

function data(text: string): string {
  return `data ${Buffer.byteLength(text)}\n${text}\n`;
}

/** A script stays a script when it is checked out. */
function modeOf(text: string): string {
  return text.startsWith('#!') ? '100755' : '100644';
}

function quote(path: string): string {
  const escaped = path.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
  return `"${escaped}"`;
}
