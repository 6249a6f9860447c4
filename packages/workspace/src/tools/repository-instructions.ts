/** Files in which a repository says what it asks of agents, in the order in which they are shown. */
const files = ['AGENTS.md', 'CLAUDE.md', '.github/copilot-instructions.md'] as const;

/** Largest part of one file that is shown, and of all together, in bytes. */
const limits = { file: 100 * 1024, total: 500 * 1024 } as const;

export interface RepositoryInstructionsOptions {
  /** The files of the base branch, in the order of the paths; null for what is not there. */
  readonly readFiles: (paths: readonly string[]) => Promise<readonly (string | null)[]>;
  /** A text without what no page shows. */
  readonly clean: (text: string) => Promise<string>;
}

/**
 * Reads what the target repository asks of agents, under one heading; null when it asks nothing. The text of the base
 * branch counts, to which only people with write permission bring something, as people see it there. The same text under two
 * names (one is often a link to the other) is given once.
 *
 * @example
 * const { readBaseFiles: readFiles } = await workspaces.open(task);
 * await readRepositoryInstructions({ readFiles, clean: async (text) => text });
 */
export async function readRepositoryInstructions({
  readFiles,
  clean,
}: RepositoryInstructionsOptions): Promise<string | null> {
  const parts: string[] = [];
  const seen = new Set<string>();
  let left: number = limits.total;
  for (const [index, text] of (await readFiles(files)).entries()) {
    if (text === null || text.includes('\0') || seen.has(text)) continue;
    seen.add(text);
    const shown = (await clean(cutAt(text, Math.min(limits.file, left)))).trim();
    if (shown === '') continue;
    left -= Buffer.byteLength(shown);
    parts.push(`### ${files[index]}\n\n${shown}`);
  }
  return parts.length === 0 ? null : `## Project-Specific Agent Rules\n\n${parts.join('\n\n')}`;
}

/** The beginning of a text, cut between characters with a note. */
function cutAt(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return text;
  const beginning = new TextDecoder().decode(bytes.subarray(0, maxBytes), { stream: true });
  return `${beginning}\n\n(cut here: the file has ${bytes.length} bytes)`;
}
