import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CommentInbox, createMemoryRunJournal } from '@agent/runner';
import {
  createAcpExecutor,
  type Executor,
  runAgentTask,
  type SteeringWay,
  startAgentProcess,
} from '@agent/runner/executors';
import { type FaultyModel, startFaultyModel } from '@agent/simulators/model';

/** Program of an agent, for one model and one directory of its own. */
export type AgentProgram = (place: { readonly baseUrl: string; readonly directory: string }) => {
  readonly command: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
};

/** Milliseconds from one moment of a comment to the next. */
export interface CommentTimes {
  /** From the synced line of the journal to the agent's word that it has it; where it gives none, to the cancel or the prompt. */
  readonly toAck: number;
  /** From there to the agent's next request to its model, which has it. */
  readonly toRequest: number;
  /** From an answer of the model that made a call to the next request, with nobody saying anything: what the agent takes for itself. */
  readonly ownStep: number;
}

const comment = 'Use tabs, please.';
const done = { kind: 'say', text: 'Done.' } as const;
const firstCall = {
  id: 'call-1',
  name: 'bash',
  arguments: JSON.stringify({ command: 'true', description: 'Does nothing' }),
};
const patienceMs = 120_000;

/** Measures one comment: an agent that has made a call waits for its model, is told, the model answers at once, and the agent's next request has the comment. */
export async function measureAgent(
  program: AgentProgram,
  { steering }: { readonly steering: SteeringWay },
): Promise<CommentTimes> {
  const base = await mkdtemp(join(tmpdir(), 'bench-agent-'));
  const directory = join(base, 'work');
  await mkdir(directory);
  const watch = createWatch();
  const model = await watch.startModel();
  const { command, args, environment } = program({ baseUrl: model.baseUrl, directory: base });
  const start = () => startAgentProcess({ command, args, environment, directory, graceMs: 0 });
  const rules = { directory, isSandboxed: true };
  try {
    await runAgentTask({
      executor: watch.listen(createAcpExecutor({ start, rules, steering })),
      journal: createMemoryRunJournal(),
      comments: watch.inbox,
      openConversation: async () => ({
        instructions: '',
        messages: [{ role: 'user', content: 'Repair it.' }],
      }),
      checkIntervalMs: 1,
      hardSignal: AbortSignal.any([watch.heard, AbortSignal.timeout(patienceMs)]),
    });
    return watch.times();
  } finally {
    await model.close();
    await rm(base, { recursive: true, force: true });
  }
}

/** Notes when the comment is journaled, acknowledged and in a request; the model answers once it was acknowledged. */
function createWatch() {
  const heard = new AbortController();
  const acknowledged = Promise.withResolvers<void>();
  const at = {
    answered: Number.NaN,
    asked: Number.NaN,
    delivered: Number.NaN,
    ack: Number.NaN,
    request: Number.NaN,
  };
  let requests = 0;
  const acknowledge = () => {
    if (Number.isNaN(at.ack)) at.ack = performance.now();
    acknowledged.resolve();
  };
  const inbox: CommentInbox = {
    takeDelivery: async () => {
      const isDue = !Number.isNaN(at.asked) && Number.isNaN(at.delivered);
      const receipt = { delivers: [{ id: '1', revision: '1', kind: 'added' as const }] };
      return { status: 'checked', delivery: isDue ? { text: comment, receipt, hasCommands: false } : null };
    },
    markDelivered: () => {
      at.delivered = performance.now();
    },
  };
  const listen = (executor: Executor): Executor => ({
    ...executor,
    steer: async (text, call) => {
      const answer = await executor.steer(text, call);
      acknowledge();
      return answer;
    },
  });
  const startModel = (): Promise<FaultyModel> =>
    startFaultyModel(async ({ written }) => {
      // A title for the conversation is no work.
      if (!written.includes('Repair it.') || written.includes('title generator')) return done;
      requests += 1;
      if (requests === 1) {
        at.answered = performance.now();
        return { kind: 'call', calls: [firstCall] };
      }
      if (Number.isNaN(at.asked)) at.asked = performance.now();
      if (written.includes(comment) && Number.isNaN(at.request)) {
        at.request = performance.now();
        heard.abort();
      }
      await acknowledged.promise;
      return done;
    });
  const times = (): CommentTimes => {
    if (Number.isNaN(at.request)) throw new Error('The agent never asked its model about the comment.');
    const { answered, asked, delivered, ack, request } = at;
    return { toAck: ack - delivered, toRequest: request - ack, ownStep: asked - answered };
  };
  return { inbox, listen, startModel, times, heard: heard.signal };
}
