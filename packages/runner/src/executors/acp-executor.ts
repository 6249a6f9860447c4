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
      await close();
      connection = new AcpConnection(await options.start(), options);
      return connection.open(session, call);
    },
    turn: (texts, call) => needConnection().turn(texts, call),
    steer: (text, call) => needConnection().steer(text, call),
    close,
  };
}
