import type { StorageNotes } from '@agent/run-store';
import { listRefused, type PinnedTools, pinTools, type ToolPins } from '@agent/workspace/mcp';
import { z } from 'zod';

/** MCP tools by server and name, with the SHA-256 of their definitions: a server can change what it says about a tool at any time. */
export interface KnownMcpTools extends ToolPins {
  /** Accepts the tool of this name, such as `mcp:tracker/list`, as it was seen last. @returns the number of tools that waited */
  readonly accept: (name: string) => Promise<number>;
}

const noteName = 'mcp-tools';
const schema = z.record(z.string(), z.object({ accepted: z.string(), refused: z.string().nullable() }));

/** Creates it; all tools are in one note. */
export function createKnownMcpTools(notes: Pick<StorageNotes, 'read' | 'change'>): KnownMcpTools {
  const parse = (value: unknown): PinnedTools => schema.parse(value ?? {});
  const read = async () => parse(await notes.read(noteName));
  return {
    check: async (server, fingerprints) => {
      let compared = pinTools(await read(), { server, fingerprints });
      if (compared.isNew)
        await notes.change(noteName, (value) => {
          compared = pinTools(parse(value), { server, fingerprints });
          return compared.pinned;
        });
      return compared.refused;
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
    listRefused: async () => listRefused(await read()),
  };
}
