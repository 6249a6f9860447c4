import { cutWithoutSecrets, placeholder } from '@agent/text/secrets';
import { z } from 'zod';
import { checkSegments, type GuardedPath, guardPath } from '../machine/guarded-path.ts';
import { ToolError } from '../workspace-error.ts';
import { applyEdit } from './apply-edit.ts';
import type { HideSecrets } from './capped-output.ts';
import { defineTool, type ResultRoom, type RunTool, type RunTools } from './define-tool.ts';
import { deleteFile, readTextFile, writeTextFile } from './guarded-file.ts';
import { createListFilesTool } from './list-files-tool.ts';
import { createSearchFilesTool, type SearchOptions } from './search-files-tool.ts';

// Made once: a schema is many objects, and every task has these tools.
const path = z
  .string()
  .min(1)
  .max(4096)
  .describe("Path relative to the repository's root, e.g. src/index.ts");

const readInput = z.object({
  path,
  offset: z.int().min(1).default(1).describe('First line to show, counted from 1'),
  limit: z.int().min(1).max(5000).default(1000).describe('How many lines to show'),
});

const writeInput = z.object({ path, content: z.string().describe('The whole text of the file') });

const editInput = z.object({
  path,
  old_text: z.string().describe('The passage to replace, exactly as it stands in the file'),
  new_text: z.string().describe('What to put in its place'),
  replace_all: z.boolean().default(false),
});

const deleteInput = z.object({ path });

/**
 * Tools for the files of one worktree. None of them leaves it, whatever path or link it is given.
 *
 * @example
 * const { read_file: readFile } = createFileTools('/srv/worktree');
 * await readFile?.execute({ path: 'README.md' }, { toolCallId: 'call-1' });
 */
export function createFileTools(root: string, options: SearchOptions = {}): RunTools {
  return {
    list_files: createListFilesTool(root),
    read_file: createReadFileTool(root, options),
    search_files: createSearchFilesTool(root, options),
    write_file: createWriteFileTool(root),
    edit_file: createEditFileTool(root),
    delete_file: createDeleteFileTool(root),
  };
}

function createReadFileTool(root: string, { hideSecrets = (text) => text }: SearchOptions): RunTool {
  return defineTool({
    description:
      'Reads a text file, as many lines as fit: the first line of the result says which, and with which offset to continue. Each line comes with its number and a tab, which are not part of the file.',
    input: readInput,
    readOnly: true,
    run: async (input, { room = unlimited }) => {
      const guarded = await guardPath(root, input.path);
      return numberLines(await readTextFile(guarded), { ...input, name: guarded.shown, hideSecrets, room });
    },
  });
}

function createWriteFileTool(root: string): RunTool {
  return defineTool({
    description: 'Writes a whole text file: makes it with its directories, or replaces what it held.',
    input: writeInput,
    readOnly: false,
    run: async (input) => {
      const guarded = await guardPath(root, input.path);
      if (guarded.shown === '.')
        throw new ToolError('Give the path of a file, not of the repository itself.');
      await refusePlaceholder(guarded, input.content);
      await writeTextFile(guarded, input.content);
      const lines = input.content === '' ? 0 : input.content.replace(/\n$/, '').split('\n').length;
      return `${guarded.exists ? 'Replaced' : 'Made'} ${guarded.shown} (${lines} lines).`;
    },
  });
}

function createEditFileTool(root: string): RunTool {
  return defineTool({
    description:
      'Replaces an exact passage of a text file. The passage must stand there exactly once, unless replace_all is set.',
    input: editInput,
    readOnly: false,
    run: async (input) => {
      const guarded = await guardPath(root, input.path);
      const { text, count } = applyEdit(await readTextFile(guarded), {
        oldText: input.old_text,
        newText: input.new_text,
        replaceAll: input.replace_all,
      });
      await refusePlaceholder(guarded, text);
      await writeTextFile(guarded, text);
      return `Changed ${guarded.shown} (${count === 1 ? '1 place' : `${count} places`}).`;
    },
  });
}

function createDeleteFileTool(root: string): RunTool {
  return defineTool({
    description:
      'Deletes one file (or a link, not what it leads to). Directories that become empty need no deleting.',
    input: deleteInput,
    readOnly: false,
    run: async (input) => {
      const segments = checkSegments(input.path);
      const parent = await guardPath(root, segments.slice(0, -1).join('/'));
      await deleteFile(parent, segments.at(-1) ?? '');
      return `Deleted ${segments.join('/')}.`;
    },
  });
}

/**
 * Keeps the word that stands where a secret was hidden from the model out of files that do not hold it: written back, it
 * would take the place of what nobody meant to change.
 */
async function refusePlaceholder(path: GuardedPath, text: string): Promise<void> {
  if (!text.includes(placeholder)) return;
  const before = path.exists ? await readTextFile(path) : '';
  if (before.includes(placeholder)) return;
  throw new ToolError(
    `"${path.shown}" was not written: the text holds ${placeholder}, which stands where a secret was hidden from you, and the file does not hold it. Change the lines around it with edit_file; code that needs this very word can put it together from two parts.`,
  );
}

const maxLineChars = 2000;

/** Room for callers that do not know the model's window. */
const unlimited: ResultRoom = { maxTokens: 100_000, count: (text) => text.length };

/** Tokens of the line above the lines of a file. */
const headTokens = 40;

/** Which lines to show. */
interface LineRange {
  readonly name: string;
  /** Counted from 1. */
  readonly offset: number;
  readonly limit: number;
  readonly hideSecrets: HideSecrets;
  readonly room: ResultRoom;
}

/** A part of a text with line numbers, under a line that says which part of how much it is. */
function numberLines(text: string, { name, offset, limit, hideSecrets, room }: LineRange): string {
  if (text === '') return `${name} is empty.`;
  const lines = text.replace(/\n$/, '').split('\n');
  if (offset > lines.length) return `${name} has only ${lines.length} lines.`;
  const shown: string[] = [];
  let left = room.maxTokens - headTokens;
  for (const [index, line] of lines.slice(offset - 1, offset - 1 + limit).entries()) {
    const numbered = `${offset + index}\t${cutLine(line.replace(/\r$/, ''), hideSecrets)}`;
    left -= room.count(`${numbered}\n`);
    if (left < 0 && shown.length > 0) break;
    shown.push(numbered);
  }
  const last = offset + shown.length - 1;
  const more = last < lines.length ? `; continue with offset ${last + 1}` : '';
  return `${name}, lines ${offset}-${last} of ${lines.length}${more}\n${shown.join('\n')}`;
}

function cutLine(line: string, hideSecrets: HideSecrets): string {
  if (line.length <= maxLineChars) return line;
  return `${cutWithoutSecrets(line, { hideSecrets, maxChars: maxLineChars, keep: 'start' })}… (${line.length} characters in this line)`;
}
