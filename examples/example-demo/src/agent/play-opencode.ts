import { demoFault, demoRounding } from '@agent/simulators/demo/parts';
import { type FaultyModel, type FaultyModelRequest, startFaultyModel } from '@agent/simulators/model';

/** A call that the model has opencode make, and the same as people are told of it. */
interface Step {
  readonly id: string;
  readonly tool: string;
  readonly input: Readonly<Record<string, string>>;
  readonly inWords: string;
}

/** Last words of the agent. */
const lastWords =
  'The discount was applied twice. It is now applied once, to the sum, because the till rounds once, as Mika says. The tests pass.';

export interface PlayOpencodeOptions {
  readonly modelSays: (text: string) => void;
  /** Has somebody object, in the middle of the turn. Resolves when it is said. */
  readonly object: () => Promise<void>;
}

/** Starts the script that plays the model behind opencode. Each step follows from what the request shows, so that it hears what opencode hears. */
export function playOpencode({ modelSays, object }: PlayOpencodeOptions): Promise<FaultyModel> {
  let hasObjected = false;
  return startFaultyModel(async (request) => {
    if (request.body.tools === undefined) return { kind: 'say', text: 'A discount' };
    const step = findStep(request);
    if (step === null) {
      modelSays(lastWords);
      return { kind: 'say', text: lastWords };
    }
    if (step.inWords !== '') modelSays(step.inWords);
    if (step.id === 'test' && !hasObjected) {
      hasObjected = true;
      await object();
    }
    return {
      kind: 'call',
      calls: [{ id: step.id, name: step.tool, arguments: JSON.stringify(step.input) }],
    };
  });
}

/** Names of the variables that the agent knows, and the tests. */
const lookAround = "env | cut -d= -f1 | sort | tr '\\n' ' '; node --test";
const maxWaits = 60;

/** The next call; null when all is done, or when nobody was heard for a minute. */
function findStep({ written, body }: FaultyModelRequest): Step | null {
  const messages = (body.messages ?? []) as readonly { readonly tool_call_id?: string }[];
  const done = new Set(messages.flatMap(({ tool_call_id: id }) => (id === undefined ? [] : [id])));
  const filePath = `${/Working directory: ([^\s\\]+)/.exec(written)?.[1] ?? '.'}/${demoFault.file}`;
  const edit = (oldString: string, newString: string) => ({ filePath, oldString, newString });
  const hasHeard = written.includes(demoRounding.objection);
  const waits = [...done].filter((id) => id.startsWith('wait-')).length;
  const sleep = { command: 'sleep 1', description: 'Waits for a word' };
  const steps: readonly Step[] = [
    { id: 'read', tool: 'read', input: { filePath }, inWords: `I read ${demoFault.file}.` },
    {
      id: 'once',
      tool: 'edit',
      input: edit(demoFault.wrong, demoFault.right),
      inWords: 'The discount is applied twice. I remove the second time.',
    },
    {
      id: 'test',
      tool: 'bash',
      input: { command: lookAround, description: 'Runs the tests' },
      inWords: 'I run the tests.',
    },
    ...(hasHeard ? [] : [{ id: `wait-${waits}`, tool: 'bash', input: sleep, inWords: '' }]),
    {
      id: 'sum',
      tool: 'edit',
      input: edit(demoRounding.perLine, demoRounding.onSum),
      inWords: 'Mika says that the till rounds once: I add up the sum without the discount …',
    },
    {
      id: 'off',
      tool: 'edit',
      input: edit(demoFault.right, demoFault.wrong),
      inWords: '… and apply it to the sum, once.',
    },
    {
      id: 'again',
      tool: 'bash',
      input: { command: 'node --test', description: 'Runs the tests again' },
      inWords: 'I run the tests again.',
    },
  ];
  return waits > maxWaits ? null : (steps.find(({ id }) => !done.has(id)) ?? null);
}

/** Place of a text in a conversation of opencode. */
export interface HeardText {
  /** Messages of the user that hold it. */
  readonly messages: number;
  /** Results of tools before the first of them, and after it. */
  readonly resultsBefore: number;
  readonly resultsAfter: number;
}

/** Finds a text in the last conversation that opencode asked its model about. */
export function findHeard({ requests }: Pick<FaultyModel, 'requests'>, text: string): HeardText {
  const last = requests.filter(({ body }) => body.tools !== undefined).at(-1);
  const messages = (last?.body.messages ?? []) as readonly { readonly role: string }[];
  const inJson = JSON.stringify(text).slice(1, -1);
  const holds = messages.map((one) => one.role === 'user' && JSON.stringify(one).includes(inJson));
  const first = holds.indexOf(true);
  const countResults = (some: typeof messages) => some.filter(({ role }) => role === 'tool').length;
  return {
    messages: holds.filter(Boolean).length,
    resultsBefore: countResults(messages.slice(0, Math.max(0, first))),
    resultsAfter: first === -1 ? 0 : countResults(messages.slice(first)),
  };
}
