import { AcpConnection } from './acp-connection.ts';
import type { AcpExecutorOptions } from './acp-options.ts';
import { AgentFailure, type Executor } from './executor.ts';

/**
 * Creates an executor that drives an agent by the Agent Client Protocol.
 *
 * @see https://agentclientprotocol.com/protocol/overview
 *
 * @example
 * const start = () => startAgentProcess({ command: 'opencode', args: ['acp'], environment, directory });
 * const executor = createAcpExecutor({ start, rules: { directory, isSandboxed: true } });
 */
export function createAcpExecutor(options: AcpExecutorOptions): Executor {
  let connection: AcpConnection | null = null;
  const needConnection = (): AcpConnection => {
    if (connection === null) throw new AgentFailure('The agent is not open.', { code: 'ended' });
    return connection;
  };
  const close = async (): Promise<void> => {
    const closing = connection;
    connection = null;
    await closing?.close();
  };
  return {
    open: async (session, call) => {
      const begin = async (isLastTry: boolean) => {
        await close();
        connection = new AcpConnection(await options.start(), options);
        return connection.open(session, { ...call, isLastTry });
      };
      // Few agents say whether they do not know a session or could not read it: another process may.
      const opened = (await begin(false)) ?? (await begin(true));
      if (opened === null) throw new AgentFailure('The agent opened no session.', { code: 'no-session' });
      return opened;
    },
    turn: (texts, call) => needConnection().turn(texts, call),
    steer: (text, call) => needConnection().steer(text, call),
    close,
  };
}
