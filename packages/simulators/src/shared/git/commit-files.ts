import { modeOf } from './file-mode.ts';
import type { Git } from './git.ts';
import type { NewCommit } from './new-commit.ts';
import { writeFirstCommit } from './write-first-commit.ts';

/** Commits files to a branch of a bare repository, in at most one process whatever their number. */
export async function commitFiles(git: Git, directory: string, commit: NewCommit): Promise<void> {
  if (commit.parent === null) return writeFirstCommit(directory, commit);
  const { author } = commit;
  const lines = [
    `commit refs/heads/${commit.branch}\n`,
    `author ${author.name} <${author.email}> ${commit.time} +0000\n`,
    `committer ${author.name} <${author.email}> ${commit.time} +0000\n`,
    data(commit.message),
    `from ${commit.parent}\n`,
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

function quote(path: string): string {
  const escaped = path.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
  return `"${escaped}"`;
}
