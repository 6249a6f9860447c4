import { ToolError } from './define-tool.ts';
import { openAsIs } from './guarded-file.ts';
import { type GuardedPath, guardPath } from './guarded-path.ts';

const files = ['AGENTS.md', 'CLAUDE.md', '.github/copilot-instructions.md'] as const;

/** Largest part of one file that is read, and of all together, in bytes. */
const limits = { file: 100 * 1024, total: 500 * 1024 } as const;

/**
 * What the target repository asks of agents, under one heading; null when it asks nothing. The same text under two
 * names (one is often a link to the other) is given once. Links that lead out of the worktree are ignored.
 */
export async function readRepositoryInstructions(worktreePath: string): Promise<string | null> {
  const parts: string[] = [];
  const seen = new Set<string>();
  let left: number = limits.total;
  for (const name of files) {
    const guarded = await findInside(worktreePath, name);
    if (guarded === null) continue;
    const text = await readBeginning(guarded, Math.min(limits.file, left));
    if (text === null || text.trim() === '' || seen.has(text)) continue;
    seen.add(text);
    left -= Buffer.byteLength(text);
    parts.push(`### ${name}\n\n${text.trim()}`);
  }
  return parts.length === 0 ? null : `## Project-Specific Agent Rules\n\n${parts.join('\n\n')}`;
}

async function findInside(root: string, name: string): Promise<GuardedPath | null> {
  try {
    const guarded = await guardPath(root, name);
    return guarded.exists ? guarded : null;
  } catch (error) {
    if (error instanceof ToolError) return null;
    throw error;
  }
}

/** The text of a file up to a size, cut between characters with a note; null for what is not a file of text. */
async function readBeginning(path: GuardedPath, maxBytes: number): Promise<string | null> {
  const handle = await openAsIs(path);
  try {
    const state = await handle.stat();
    if (!state.isFile()) return null;
    const bytes = Buffer.alloc(Math.min(state.size, maxBytes));
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, 0);
    const text = new TextDecoder().decode(bytes.subarray(0, bytesRead), { stream: true });
    if (text.includes('\0')) return null;
    return state.size <= maxBytes ? text : `${text}\n\n(cut here: the file has ${state.size} bytes)`;
  } finally {
    await handle.close();
  }
}
