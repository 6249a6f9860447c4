import type { Logger } from '@agent/text';
import type { ListToolsResult } from '@ai-sdk/mcp';
import { fingerprintTools } from './clean-definitions.ts';
import { type McpConnection, notCarriedOut } from './keep-server.ts';

/** Fingerprints of the tools that an operator has accepted, by server. */
export interface ToolPins {
  /**
   * Pins the tools of a server that is seen for the first time. Tools that change or appear later wait for an operator.
   *
   * @returns names of the tools that wait
   */
  readonly check: (server: string, fingerprints: ReadonlyMap<string, string>) => Promise<ReadonlySet<string>>;
  /** Lists the tools that wait, under the names by which an operator accepts them. */
  readonly listRefused: () => Promise<readonly string[]>;
}

/**
 * SHA-256 of definitions, by the name for an operator. `accepted` is empty if no definition was accepted; `refused` is the definition that
 * waits, null if none does.
 */
export type PinnedTools = Readonly<
  Record<string, { readonly accepted: string; readonly refused: string | null }>
>;

/**
 * Compares the tools of a server with the pinned ones. The first list of a server is accepted as a whole. A tool that is not in it is
 * refused when it appears, and so is a tool that differs.
 */
export function pinTools(
  pinned: PinnedTools,
  { server, fingerprints }: { readonly server: string; readonly fingerprints: ReadonlyMap<string, string> },
): { readonly pinned: PinnedTools; readonly refused: ReadonlySet<string>; readonly isNew: boolean } {
  const prefix = nameToAccept(server, '');
  const known = Object.entries(pinned).filter(([name]) => name.startsWith(prefix));
  const isFirst = known.length === 0;
  const seen = [...fingerprints].map(([tool, fingerprint]) => {
    const name = nameToAccept(server, tool);
    const accepted = pinned[name]?.accepted ?? (isFirst ? fingerprint : '');
    return { tool, name, entry: { accepted, refused: accepted === fingerprint ? null : fingerprint } };
  });
  const others = Object.entries(pinned).filter(([name]) => !name.startsWith(prefix));
  const gone = known
    .filter(([name, { accepted, refused }]) => {
      const isSeen = seen.some((one) => one.name === name);
      return !isSeen && (accepted !== '' || refused === null);
    })
    .map(([name, { accepted }]) => [name, { accepted, refused: null }] as const);
  // A server whose first list is empty is known by an entry without a tool.
  const none = isFirst && seen.length === 0 ? [[prefix, { accepted: '', refused: null }] as const] : [];
  const entries = [...gone, ...none, ...seen.map(({ name, entry }) => [name, entry] as const)];
  const isNew =
    entries.length !== known.length ||
    entries.some(([name, { accepted, refused }]) => {
      const before = pinned[name];
      return before?.accepted !== accepted || before.refused !== refused;
    });
  return {
    pinned: Object.fromEntries([...others, ...entries]),
    refused: new Set(seen.flatMap(({ tool, entry }) => (entry.refused === null ? [] : [tool]))),
    isNew,
  };
}

/** Lists the names of pinned tools that wait for an operator. */
export function listRefused(pinned: PinnedTools): readonly string[] {
  return Object.entries(pinned).flatMap(([name, { refused }]) => (refused === null ? [] : [name]));
}

/** Creates pins that are lost at the end of the process. */
export function createMemoryPins(): ToolPins {
  let known: PinnedTools = {};
  return {
    check: async (server, fingerprints) => {
      const { pinned, refused } = pinTools(known, { server, fingerprints });
      known = pinned;
      return refused;
    },
    listRefused: async () => listRefused(known),
  };
}

/** A connection whose changed and added tools are refused. */
export interface GuardedConnection extends McpConnection {
  /** Tools that differed from what was accepted when the connection was opened. */
  readonly changed: ReadonlySet<string>;
}

export interface GuardOptions {
  readonly server: string;
  readonly pins: ToolPins;
  readonly logger: Logger;
}

/**
 * Refuses calls of tools whose definition is not the pinned one, until an operator accepts them. The tools are compared when the connection is opened and,
 * after the server has sent a notification (such as `notifications/tools/list_changed`), before the next call.
 */
export async function guardTools(
  connection: McpConnection,
  { server, pins, logger }: GuardOptions,
): Promise<GuardedConnection> {
  let { definitions } = connection;
  let warned = '';
  const check = async (): Promise<ReadonlySet<string>> => {
    const changed = await pins.check(server, fingerprintTools(definitions));
    const tools = [...changed];
    if (tools.length > 0 && warned !== tools.join())
      logger.warn(
        { server, tools, accept: tools.map((tool) => nameToAccept(server, tool)) },
        'MCP server changed or added tools; runs cannot use them until an operator accepts them',
      );
    warned = tools.join();
    return changed;
  };
  const refuseChanged = async (tool: string, listed: ListToolsResult | null): Promise<void> => {
    if (listed !== null) definitions = listed;
    if (listed === null && !changed.has(tool)) return;
    changed = await check();
    if (changed.has(tool)) throw notCarriedOut({ server, tool, why: explain(server, tool) }, {});
  };
  let changed = await check();
  return {
    ...connection,
    changed,
    callTool: async (call) => {
      await refuseChanged(call.tool, await connection.listChangedTools(call));
      return connection.callTool(call);
    },
  };
}

/** The name by which an operator accepts a tool. */
export const nameToAccept = (server: string, tool: string) => `mcp:${server}/${tool}`;

const explain = (server: string, tool: string) =>
  `its current description and schema are not accepted. An operator can compare them and accept the tool with: agent-daemon accept ${nameToAccept(server, tool)}`;
