import type { RunEnding } from '../ending.ts';
import { findFruitlessCalls, takeTurn } from '../iterate.ts';
import type { CheckpointName } from '../model.ts';
import type { WrittenAnswer } from './answers/read-answer.ts';
import type { PlanningFact, PlanningPhaseName } from './model.ts';
import { mayReconsider } from './next-phase.ts';
import type { Exchange } from './plan-log.ts';
import { type PlannedRun, passPoint, record } from './planned-run.ts';

/** Request of a phase to the model, and how its answer is read. */
export interface PhaseRequest {
  readonly phase: PlanningPhaseName;
  /** Passed before the request is made. */
  readonly checkpoint: CheckpointName;
  /** Tools that may be called for it: those that read, those that check as well, or all. */
  readonly tools: 'reading' | 'checking' | 'all';
  /** Facts to record before the request is made; none where they stand already. Default none. */
  readonly begins?: readonly PlanningFact[];
  /** Goes on with the request where its checkpoint delivers comments. Default false. */
  readonly takesComments?: boolean;
  readonly write: () => string | Promise<string>;
  readonly read: (answer: WrittenAnswer, exchange: Exchange) => Reading | Promise<Reading>;
  /** Facts where the calls lead nowhere. Default: the run ends. */
  readonly toFruitless?: (reason: string) => readonly PlanningFact[];
}

/** Result of reading an answer. */
export type Reading =
  | { readonly kind: 'facts'; readonly facts: readonly PlanningFact[] }
  /** The model is asked again, in these words. */
  | { readonly kind: 'again'; readonly text: string }
  /** Null where the run goes on all the same. */
  | { readonly kind: 'ending'; readonly ending: RunEnding | null };

/**
 * Takes one step of a phase: reads the answer to its request, or makes the request, or lets the model go on with it. A phase keeps
 * nothing: what was asked and answered is read from the journal.
 */
export async function exchange(planned: PlannedRun, request: PhaseRequest): Promise<RunEnding | null> {
  const made = planned.log.findExchange(toFirstLine(planned, request));
  const reading = made?.isAnswered ? await readLast(request, made) : null;
  if (reading !== null) return settle(planned, reading);
  const ending = made === null ? await begin(planned, request) : await goOn(planned, request);
  if (ending !== 'turn') return ending;
  const { run } = planned;
  const fruitless = request.toFruitless === undefined ? null : findFruitlessCalls(run);
  if (fruitless === null || request.toFruitless === undefined) {
    const { takeWork } = planned.manner;
    if (takeWork !== null && isForAgent(planned, request)) return takeWork(run);
    const { model: workModel, planningModel } = run.requests;
    const model = request.tools === 'all' ? workModel : planningModel;
    const calls = { ...run.calls, allows: toAllowed(planned, request) };
    const limited = { ...run, requests: { ...run.requests, model }, calls };
    return takeTurn(limited, { secondLost: 'judged' });
  }
  await record(planned, request.toFruitless(fruitless.reason));
  return null;
}

function isForAgent({ manner }: PlannedRun, { tools }: PhaseRequest): boolean {
  return tools === 'all' && manner.takeWork !== null;
}

/** First line of the request that a phase makes next, or has made since the last fact. */
export function toFirstLine(
  { log }: Pick<PlannedRun, 'log'>,
  { phase }: Pick<PhaseRequest, 'phase'>,
): string {
  return `Planning phase: ${phase} (request ${log.state.facts.length}).`;
}

/** Null where the model was asked again already, in the place of an answer that was lost; a first one in a row is not judged. */
async function readLast({ read }: PhaseRequest, made: Exchange): Promise<Reading | null> {
  const [before = '', answer = ''] = ['', ...made.answers].slice(-2);
  if (typeof answer === 'string') return read(answer, made);
  const reading = typeof before === 'string' ? null : await read(answer, made);
  return reading?.kind === 'again' ? null : reading;
}

async function settle(planned: PlannedRun, reading: Reading): Promise<RunEnding | null> {
  if (reading.kind === 'ending') return reading.ending;
  if (reading.kind === 'facts') await record(planned, reading.facts);
  else await planned.run.conversation.append({ role: 'user', content: reading.text });
  return null;
}

async function begin(planned: PlannedRun, request: PhaseRequest): Promise<RunEnding | null | 'turn'> {
  const before = planned.log.state;
  const { ending, isDelivered } = await passPoint(planned, request.checkpoint);
  if (ending !== null) return ending;
  // What was said may change what comes next.
  const isOther = planned.log.state !== before;
  const isConsidered = request.takesComments !== true && mayReconsider(before, planned.settings);
  if (isOther || (isDelivered && isConsidered)) return null;
  const { phase, begins = [] } = request;
  await record(planned, [...(before.phase === phase ? [] : [{ type: 'phase' as const, phase }]), ...begins]);
  await append(planned, request);
  return 'turn';
}

async function goOn(planned: PlannedRun, request: PhaseRequest): Promise<RunEnding | null | 'turn'> {
  const before = planned.log.state;
  const { ending } = await passPoint(planned, 'before_iteration');
  if (ending !== null || planned.log.state !== before) return ending;
  const firstLine = toFirstLine(planned, request);
  const { context, said } = planned.run.conversation;
  // An agent keeps what it was told, whatever is compressed here.
  const seen = isForAgent(planned, request) ? said : context;
  const isSeen = seen.some(
    ({ message: { role, content } }) =>
      role === 'user' && typeof content === 'string' && content.startsWith(firstLine),
  );
  // A compression may have taken it out of the model's sight.
  if (!isSeen) await append(planned, request);
  return 'turn';
}

async function append(planned: PlannedRun, request: PhaseRequest): Promise<void> {
  const content = `${toFirstLine(planned, request)}\n\n${await request.write()}`;
  await planned.run.conversation.append({ role: 'user', content });
}

function toAllowed({ run, manner }: PlannedRun, { tools }: PhaseRequest): (tool: string) => boolean {
  if (tools === 'all') return () => true;
  return (tool) =>
    run.calls.tools[tool]?.readOnly === true || (tools === 'checking' && manner.checkTools.has(tool));
}
