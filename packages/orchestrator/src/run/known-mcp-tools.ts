import type { StorageNotes } from '@agent/run-store';
import { nameToAccept, type ToolPins } from '@agent/workspace/mcp';
import { z } from 'zod';

/** MCP tools by server and name, with the SHA-256 of their definitions: a server can change what it says about a tool at any time. */
export interface KnownMcpTools extends ToolPins {
  /** Accepts the tool of this name, such as `mcp:tracker/list`, as it was seen last. @returns the number of tools that waited */
  readonly accept: (name: string) => Promise<number>;
  /** Lists the names that wait for `accept`. */
  readonly listRefused: () => Promise<readonly string[]>;
}

const noteName = 'mcp-tools';
/** By the name for `accept`. */
const schema = z.record(z.string(), z.object({ accepted: z.string(), refused: z.string().nullable() }));
type Known = z.output<typeof schema>;

/** Creates it; all tools are in one note. */
export function createKnownMcpTools(notes: Pick<StorageNotes, 'read' | 'change'>): KnownMcpTools {
  const parse = (value: unknown): Known => schema.parse(value ?? {});
  const read = async () => parse(await notes.read(noteName));
  return {
    check: async (server, fingerprints) => {
      const seen = [...fingerprints].map(([tool, fingerprint]) => ({
        ...{ tool, fingerprint, name: nameToAccept(server, tool) },
      }));
      const isNoted = (known: Known) =>
        seen.every(({ name, fingerprint }) => {
          const { accepted, refused } = known[name] ?? {};
          return accepted === fingerprint
            ? refused === null
            : accepted !== undefined && refused === fingerprint;
        });
      if (!isNoted(await read()))
        await notes.change(noteName, (value) => {
          const known = parse(value);
          const entries = seen.map(({ name, fingerprint }) => {
            const accepted = known[name]?.accepted ?? fingerprint;
            return [name, { accepted, refused: accepted === fingerprint ? null : fingerprint }];
          });
          return { ...known, ...Object.fromEntries(entries) };
        });
      const known = await read();
      const isChanged = ({ name, fingerprint }: (typeof seen)[number]) =>
        known[name]?.accepted !== fingerprint;
      return new Set(seen.filter(isChanged).map(({ tool }) => tool));
    },
    accept: async (name) => {
      let count = 0;
      await notes.change(noteName, (value) => {
        count = 0;
        const known = parse(value);
        const entry = known[name];
        if (entry === undefined || entry.refused === null) return known;
        count = 1;
        return { ...known, [name]: { accepted: entry.refused, refused: null } };
      });
      return count;
    },
    listRefused: async () =>
      Object.entries(await read()).flatMap(([name, { refused }]) => (refused === null ? [] : [name])),
  };
}
