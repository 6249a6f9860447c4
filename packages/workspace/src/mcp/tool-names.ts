import { createHash } from 'node:crypto';

/** What models take for the name of a function. */
const maxChars = 64;

/**
 * The names under which the model calls the tools of one server: `{server}_{tool}` in letters, digits, `_` and `-`, at
 * most 64. A name that is too long, or that another tool has already, ends in a short hash of the tool's own name, so
 * that it is the same after every start.
 *
 * @returns by the server's own name of each tool, in the order given
 */
export function toToolNames(server: string, tools: readonly string[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  for (const tool of new Set(tools)) {
    const plain = `${server}_${tool}`.replaceAll(/[^a-zA-Z0-9_-]/g, '_');
    const isPlain = plain.length <= maxChars && !taken.has(plain);
    const name = isPlain ? plain : `${plain.slice(0, maxChars - 9)}_${hash(tool)}`;
    names.set(tool, name);
    taken.add(name);
  }
  return names;
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}
