import { isDeepStrictEqual } from 'node:util';
import type {
  ConversationView,
  Script,
  ScriptedCall,
  ScriptedReply,
  ToolExchange,
} from '@agent/simulators/model';

/** One thing that the model wants to have happened, and how it can see whether it has. */
export interface Goal {
  readonly call: ScriptedCall;
  /** Asked when the call was interrupted. Null for what can simply be done again. */
  readonly look: { readonly call: ScriptedCall; readonly isDone: (output: string) => boolean } | null;
}

/** Appends a line, slowly: a kill finds it before, in the middle and after. Carried out twice, there are two lines. */
export const appendProgram = `import { appendFileSync } from 'node:fs';
const pause = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 30);
pause();
appendFileSync('log.txt', 'one line\\n');
pause();
`;

const read = (path: string): ScriptedCall => ({ name: 'read_file', input: { path } });

const mendTotal: readonly Goal[] = [
  { call: { name: 'list_files', input: {} }, look: null },
  { call: read('total.js'), look: null },
  {
    call: { name: 'run_command', input: { command: 'node', args: ['append.js'] } },
    look: { call: read('log.txt'), isDone: (output) => output.includes('one line') },
  },
  {
    call: {
      name: 'edit_file',
      input: { path: 'total.js', old_text: 'sum + line.price', new_text: 'sum + line.quantity * line.price' },
    },
    look: { call: read('total.js'), isDone: (output) => output.includes('line.quantity') },
  },
  {
    call: { name: 'write_file', input: { path: 'notes/fix.md', content: 'The quantity was missing.\n' } },
    look: null,
  },
  { call: { name: 'run_command', input: { command: 'node', args: ['--test'] } }, look: null },
];

type State = 'open' | 'unknown' | 'done';

/**
 * A model that mends the test project as a careful one does: of a call that was interrupted it does not know
 * whether it took effect, so it looks before it repeats it. It asks for the first things at once.
 */
export const carefulScript: Script = createCarefulScript(() => mendTotal);

/** The same model, with further goals that follow from what it was told. */
export function createTalkingScript(toGoals: (view: ConversationView) => readonly Goal[]): Script {
  return createCarefulScript((view) => [...mendTotal, ...toGoals(view)]);
}

/** The same model, with goals of its own. */
export function createCarefulScript(
  toGoals: (view: ConversationView) => readonly Goal[],
  { callsAtOnce = 2 }: { readonly callsAtOnce?: number } = {},
): Script {
  return (view) => takeAim(view, { goals: toGoals(view), callsAtOnce });
}

interface Aim {
  readonly goals: readonly Goal[];
  /** Calls in the first answer. */
  readonly callsAtOnce: number;
}

function takeAim(view: ConversationView, { goals, callsAtOnce }: Aim): ScriptedReply {
  const open = goals.filter((goal) => stateOf(goal, view) !== 'done');
  const [first] = open;
  if (first === undefined) return { text: 'total counts quantities now; the tests pass.' };
  if (first.look !== null && stateOf(first, view) === 'unknown') return { toolCalls: [first.look.call] };
  const count = view.exchanges.length === 0 ? callsAtOnce : 1;
  return { toolCalls: open.slice(0, count).map(({ call }) => call) };
}

function stateOf(goal: Goal, { exchanges }: ConversationView): State {
  let state: State = 'open';
  for (const exchange of exchanges) {
    if (/not run: the run was ended or paused|was not executed:/.test(exchange.output)) continue;
    const isUnknown = /its effect is unknown/.test(exchange.output);
    if (isCall(exchange, goal.call)) {
      if (state !== 'done') state = isUnknown ? 'unknown' : 'done';
    } else if (goal.look !== null && state === 'unknown' && isCall(exchange, goal.look.call) && !isUnknown) {
      state = goal.look.isDone(exchange.output) ? 'done' : 'open';
    }
  }
  return state === 'unknown' && goal.look === null ? 'open' : state;
}

function isCall(exchange: ToolExchange, call: ScriptedCall): boolean {
  // The daemon sends a call back with its defaults filled in.
  const isSame = ([key, value]: [string, unknown]) => isDeepStrictEqual(exchange.input?.[key], value);
  return exchange.name === call.name && Object.entries(call.input).every(isSame);
}
