import { setTimeout as wait } from 'node:timers/promises';
import {
  type FaultyModel,
  type FaultyModelRequest,
  type ModelReaction,
  startFaultyModel,
} from '@agent/simulators/model';
import { type Household, prices } from './draw-household.ts';

/** A call that was billed. */
export interface BilledCall {
  /** Title of the thread whose run asked; `probe` where a run asks for no more than a sign of life, `nobody` for anything else. */
  readonly title: string;
  readonly micros: number;
  readonly isLost: boolean;
}

/** A model server that bills each call it carries out, whatever becomes of who asked. */
export interface MoneyVendor extends Pick<FaultyModel, 'baseUrl' | 'close'> {
  readonly billed: readonly BilledCall[];
}

/** Starts it. `onCall` hears of each billed call, by its number among them. */
export async function startMoneyVendor(
  household: Household,
  onCall: (call: number) => void,
): Promise<MoneyVendor> {
  const billed: BilledCall[] = [];
  const react = async (request: FaultyModelRequest, call: number): Promise<ModelReaction> => {
    const { outputs, answering, delaysMs } = household;
    const pick = <One>(from: readonly One[]) => from[call % from.length] as One;
    const name = String(request.body.model);
    if (name === 'first' && household.isFirstDown) return refuse(401);
    const answers = pick(answering);
    if (answers === 'refuse') return refuse(call % 2 === 0 ? 429 : 500);
    const usage = { input: Math.floor(request.written.length / 8), output: pick(outputs) };
    const price = prices[name] ?? 0;
    const micros = Math.ceil((usage.input * price) / 50 + usage.output * price - 1e-6);
    billed.push({ title: toTitle(request.written), micros, isLost: answers === 'lost' });
    onCall(billed.length - 1);
    await wait(pick(delaysMs));
    if (answers === 'lost') return call % 2 === 0 ? { kind: 'reset' } : { kind: 'raw', body: '{"choices":[' };
    return { ...reply(request, household), usage };
  };
  const { baseUrl, close } = await startFaultyModel(react);
  return { baseUrl, close, billed };
}

const refuse = (status: number): ModelReaction => ({ kind: 'refuse', status, retryAfterMs: 1 });

const toTitle = (written: string): string =>
  /Household \d+/u.exec(written)?.[0] ?? (written.includes('Answer with OK.') ? 'probe' : 'nobody');

type Said = Extract<ModelReaction, { readonly kind: 'say' | 'call' }>;

interface Message {
  readonly role: string;
  readonly content?: string | null | readonly { readonly text?: string }[];
}

const toText = ({ content }: Message): string =>
  typeof content === 'string' ? content : (content ?? []).map(({ text = '' }) => text).join('');

/** Answers as a model that reads a file as often as its run has steps, by a plan or without. */
function reply({ body }: FaultyModelRequest, { runs, isPlanned }: Household): Said {
  const messages = body.messages as readonly Message[];
  const all = messages.map(toText).join('\n');
  const index = messages.findLastIndex(({ role, content }) => role === 'user' && content !== undefined);
  const asked = messages.findLastIndex(
    (one) => one.role === 'user' && toText(one).startsWith('Planning phase: '),
  );
  const request = asked < 0 ? '' : toText(messages[asked] as Message);
  const steps = runs[Number(/\d+/u.exec(toTitle(all))?.[0] ?? 0)]?.steps ?? 0;
  const say = (answer: unknown): Said => ({
    kind: 'say',
    text: typeof answer === 'string' ? answer : JSON.stringify(answer),
  });
  const hasTools = Array.isArray(body.tools) && body.tools.length > 0;
  const done = messages.filter(({ role }) => role === 'tool').length;
  if (all.includes('"key_decisions"') && !hasTools) return say({ summary: 'Counted.', key_decisions: [] });
  if (!isPlanned || asked < 0) return hasTools && done < steps ? readFile(done) : say('Counted.');
  const phase = /^Planning phase: (\w+)/u.exec(request)?.[1];
  if (phase === 'planning') return say(planOf(steps));
  if (phase === 'verification') return say(verification);
  if (phase === 'reflection') return say(reflection);
  if (phase !== 'execution') return say('Counted.');
  const task = /\btask_\d+\b/u.exec(request)?.[0] ?? 'task_1';
  const isDone = messages.slice(Math.max(asked, index)).some(({ role }) => role === 'tool');
  if (hasTools && !isDone) return readFile(done);
  return say({ phase: 'execution', current_task: task, expected_outcome_met: true, evidence: 'seen' });
}

const readFile = (number: number): Said => ({
  kind: 'call',
  calls: [{ id: `call-${number}`, name: 'read_file', arguments: JSON.stringify({ path: 'README.md' }) }],
});

function planOf(steps: number) {
  const ids = Array.from({ length: 1 + (steps % 2) }, (_, index) => `task_${index + 1}`);
  return {
    phase: 'planning',
    goal_understanding: {
      main_objective: 'Count.',
      success_criteria: ['Counted.'],
      constraints: [],
      context: '',
    },
    task_decomposition: {
      reasoning: '',
      subtasks: ids.map((id, index) => ({
        ...{ id, description: `Read ${id}`, dependencies: ids.slice(Math.max(0, index - 1), index) },
        ...{ estimated_complexity: 'low', required_tools: ['read_file'], rests_on: [] },
      })),
    },
    action_plan: {
      execution_order: ids,
      actions: ids.map((id) => ({
        ...{ task_id: id, action_type: 'tool_call', tool: 'read_file', parameters: { path: 'README.md' } },
        ...{ purpose: `Read ${id}`, expected_outcome: 'It is read.', fallback_strategy: null },
      })),
    },
    comment: null,
  };
}

const verification = {
  phase: 'verification',
  verification_passed: true,
  issues_found: [],
  placeholder_detected: { count: 0, locations: [], explained: [] },
  additional_work_needed: false,
  additional_actions: [],
  completion_confidence: 0.9,
  comment: null,
};

const reflection = {
  phase: 'reflection',
  reflection: {
    ...{ action_evaluated: null, status: 'success', evaluation: 'well done', issues_identified: [] },
    ...{ root_cause: null, plan_revision_needed: false, reasoning: 'it fits' },
  },
  plan_revision: null,
};
