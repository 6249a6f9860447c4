import {
  checkOptions,
  type ExpectationsOf,
  expected,
  expectNullable,
  expectNumber,
  expectOneOf,
  expectOptions,
} from '@agent/text/options';
import { AcpConnection } from './acp-connection.ts';
import type { AcpExecutorOptions } from './acp-options.ts';
import { AgentFailure, type Executor } from './executor.ts';
import type { AgentProcess } from './start-agent.ts';

const expectations: ExpectationsOf<AcpExecutorOptions> = {
  start: expected.function,
  rules: expectOptions({ directory: expected.text, isSandboxed: expected.flag }, [
    'directory',
    'isSandboxed',
  ]),
  steering: expectOneOf('auto', 'steering', 'prompt', 'cancel', 'wait'),
  currency: expectNullable(expected.text),
  answerTimeoutMs: expectNumber(0),
  steerTimeoutMs: expectNumber(0),
  cancelTimeoutMs: expectNumber(0),
  sleep: expected.function,
  logger: expected.logger,
};

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
  checkOptions('AcpExecutorOptions', options, expectations, ['start', 'rules']);
  let connection: AcpConnection | null = null;
  let starting: Promise<AgentProcess> | null = null;
  const needConnection = (): AcpConnection => {
    if (connection === null) throw new AgentFailure('The agent is not open.', { code: 'ended' });
    return connection;
  };
  const close = async (): Promise<void> => {
    const [closing, begun] = [connection, starting];
    connection = null;
    starting = null;
    await closing?.close();
    // One that was left before it was there is ended, too.
    if (closing === null) await begun?.then((process) => process.end()).catch(() => undefined);
  };
  return {
    open: async (session, call) => {
      const begin = async (isLastTry: boolean) => {
        await close();
        starting = options.start();
        const begun = starting;
        const process = await begun;
        if (starting !== begun) throw new AgentFailure('The agent was closed.', { code: 'ended' });
        connection = new AcpConnection(process, options);
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
