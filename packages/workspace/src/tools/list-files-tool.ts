import type { Dirent } from 'node:fs';
import { readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { showHiddenCharacters } from '@agent/text';
import { z } from 'zod';
import { guardPath, isGitName } from '../machine/guarded-path.ts';
import { ToolError } from '../workspace-error.ts';
import { defineTool, type RunTool } from './define-tool.ts';

const maxEntries = 1000;

/** Shown, but not looked into unless asked for by name: what they hold is made, not written. */
const heavy = new Set(['node_modules', '.venv', '__pycache__', '.pytest_cache', '.turbo', '.gradle']);

interface Walk {
  readonly entries: string[];
  full: boolean;
}

const listInput = z.object({
  path: z.string().max(4096).default('.').describe("Directory relative to the repository's root"),
  depth: z.int().min(1).max(20).default(3).describe('How many levels to go down'),
});

/** Lists files and directories of the worktree, sorted; links are shown with where they lead, never followed. */
export function createListFilesTool(root: string): RunTool {
  return defineTool({
    description: `Lists files and directories (these end in "/"), sorted, at most ${maxEntries}.`,
    input: listInput,
    readOnly: true,
    run: async ({ path, depth }, { signal }) => {
      const guarded = await guardPath(root, path);
      if (!guarded.exists) throw new ToolError(`"${guarded.shown}" does not exist.`);
      const walk: Walk = { entries: [], full: false };
      const prefix = guarded.shown === '.' ? '' : `${guarded.shown}/`;
      await visit(walk, { directory: guarded.real, prefix, depth, signal });
      const rest = walk.full
        ? `\n… more than ${maxEntries} entries; list a subdirectory or use less depth.`
        : '';
      return walk.entries.length === 0 ? `${guarded.shown} is empty.` : walk.entries.join('\n') + rest;
    },
  });
}

interface Level {
  readonly directory: string;
  readonly prefix: string;
  readonly depth: number;
  readonly signal?: AbortSignal | undefined;
}

async function visit(walk: Walk, { directory, prefix, depth, signal }: Level): Promise<void> {
  signal?.throwIfAborted();
  for (const entry of await list(directory, prefix)) {
    if (walk.entries.length >= maxEntries) {
      walk.full = true;
      return;
    }
    const shown = `${prefix}${entry.name}`;
    const path = join(directory, entry.name);
    if (entry.isSymbolicLink())
      walk.entries.push(`${quoteName(shown)} -> ${quoteName(await readlink(path))}`);
    else walk.entries.push(quoteName(entry.isDirectory() ? `${shown}/` : shown));
    if (entry.isDirectory() && depth > 1 && !heavy.has(entry.name)) {
      await visit(walk, { directory: path, prefix: `${shown}/`, depth: depth - 1, signal });
    }
  }
}

async function list(directory: string, prefix: string): Promise<Dirent[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch((cause: { code?: unknown }) => {
    const reason =
      cause.code === 'ENOTDIR' ? 'is a file: use read_file' : `cannot be listed (${String(cause.code)})`;
    throw new ToolError(`"${prefix.replace(/\/$/, '')}" ${reason}.`, { cause });
  });
  return entries.filter((entry) => !isGitName(entry.name)).sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** A file's name for a list of one name a line: as it is, or as a JSON string where it could be taken for more. */
export function quoteName(name: string): string {
  const { text, count } = showHiddenCharacters(name);
  const isPlain = count === 0 && text === name && text.trim() === text && !/[\n\r\t"\\]| -> /u.test(text);
  // Escapes of hidden characters are no escapes of JSON: the backslash stays one.
  return isPlain ? name : JSON.stringify(text).replaceAll('\\\\u{', '\\u{');
}
