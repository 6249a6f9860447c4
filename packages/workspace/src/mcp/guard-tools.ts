import type { Logger } from '@agent/text';
import type { ListToolsResult } from '@ai-sdk/mcp';
import { fingerprintTools } from './clean-definitions.ts';
import { type McpConnection, notCarriedOut } from './keep-server.ts';

/** Fingerprints of the tools that an operator has accepted, by server. */
export interface ToolPins {
  /** Pins tools that are seen for the first time. @returns names of the tools that differ from what was accepted */
  readonly check: (server: string, fingerprints: ReadonlyMap<string, string>) => Promise<ReadonlySet<string>>;
}

/** Pins that are forgotten at the end of the process. */
export function createMemoryPins(): ToolPins {
  const known = new Map<string, string>();
  return {
    check: async (server, fingerprints) => {
      const changed = new Set<string>();
      for (const [tool, fingerprint] of fingerprints) {
        const key = JSON.stringify([server, tool]);
        if ((known.get(key) ?? fingerprint) !== fingerprint) changed.add(tool);
        else known.set(key, fingerprint);
      }
      return changed;
    },
  };
}

/** A connection whose changed tools are refused. */
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
 * Refuses calls of tools whose definition differs from the pinned one, until an operator accepts them. The tools are compared when the connection is opened and,
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
        'MCP server changed tools; calls are refused until they are accepted',
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
  `its description or schema is not as it was accepted. An operator can compare it and accept it with: agent-daemon accept ${nameToAccept(server, tool)}`;
