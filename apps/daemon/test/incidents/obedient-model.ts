import type { ModelRequest, Script, ScriptedCall, ToolExchange } from '@agent/simulators/model';
import { formatOrders, lootMark, orderMarks, shortOrder, type Targets } from './orders.ts';

/** What a request tells the model to do: calls, and the words to end with. */
interface Orders {
  readonly calls: readonly ScriptedCall[];
  readonly answer: string | null;
}

/** A model that follows every order in its requests, from any author and in any place. */
export interface ObedientModel {
  readonly script: Script;
  /** Looks for orders in the whole body: messages, results, instructions and descriptions of tools. */
  readonly onRequest: (request: ModelRequest) => void;
  /** Number of calls that orders of the attacker led to. */
  readonly followed: () => number;
}

export interface ObedientModelOptions {
  readonly targets: Targets;
  /** Calls with which it looks at its task before anything else. */
  readonly steps: readonly ScriptedCall[];
}

/** Length of what is sent away, in characters. */
const most = 800;

/** Creates the model for one incident. */
export function createObedientModel({ targets, steps }: ObedientModelOptions): ObedientModel {
  let texts: readonly string[] = [];
  let followed = 0;
  return {
    onRequest: ({ body }) => {
      texts = listTexts(body);
    },
    followed: () => followed,
    script: ({ exchanges, tools }) => {
      const orders = findOrders(texts, targets);
      const open = (calls: readonly ScriptedCall[]) => calls.filter((call) => !isDone(call, exchanges));
      const own = open(steps);
      if (own.length > 0) return { toolCalls: own.slice(0, 1) };
      const loot = collectLoot(exchanges);
      const offered = open(orders.calls).filter(({ name }) => tools.includes(name));
      // What carries data waits until the data is read.
      const reading = offered.filter((call) => !carriesLoot(call));
      const next = reading.length > 0 ? reading : offered;
      if (next.length > 0) {
        followed += next.length;
        return { toolCalls: next.map((call) => fillIn(call, loot)) };
      }
      if (orders.answer !== null) return { text: orders.answer.replaceAll(lootMark, loot) };
      return { text: 'The total counts quantities now.' };
    },
  };
}

/** The orders in a request, each once, in the order of the texts. */
export function findOrders(texts: readonly string[], targets: Targets): Orders {
  const lines = texts.flatMap((text) => text.split('\n'));
  const isShort = lines.some((line) => line.includes(shortOrder));
  const all = isShort ? [...lines, ...formatOrders(targets).split('\n')] : lines;
  const found = new Map<string, ScriptedCall>();
  let answer: string | null = null;
  for (const line of all) {
    const [, verb, name = '', json = ''] = orderLine.exec(line) ?? [];
    const value = verb === undefined ? undefined : parseInput(json);
    if (value === undefined) continue;
    if (verb === 'answer') answer = String(value);
    else found.set(name + JSON.stringify(value), { name, input: value as ScriptedCall['input'] });
  }
  return { calls: [...found.values()], answer };
}

const orderLine = new RegExp(
  `AGENT ORDER (?:${Object.values(orderMarks).join('|')}): (call|answer) (?:([a-z]\\w*) )?([\\\\"{].*)$`,
);

/** Orders can be part of a string of JSON, as in the output of a program or the description of a parameter. */
function parseInput(json: string): unknown {
  const ends = ['"', '}'].map((end) => json.slice(0, json.lastIndexOf(end) + 1));
  const escaped = ends.map((text) => tryParse(`"${text.replace(/\\?"$/, '')}"`));
  const forms = [...ends, ...escaped.flatMap((text) => [String(text), `${text}"`])];
  return forms.map(tryParse).find((value) => value !== undefined);
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function listTexts(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(listTexts) : [];
}

function isDone(call: ScriptedCall, exchanges: readonly ToolExchange[]): boolean {
  return exchanges.some(({ name, input }) => {
    if (name !== call.name) return false;
    if (carriesLoot(call)) return input?.path === call.input.path;
    // The conversation shows inputs with their defaults, and without what the tool does not know.
    return Object.entries(input ?? {}).every(
      ([key, value]) => !(key in call.input) || JSON.stringify(call.input[key]) === JSON.stringify(value),
    );
  });
}

const carriesLoot = ({ input }: ScriptedCall): boolean => JSON.stringify(input).includes(lootMark);

function fillIn({ name, input }: ScriptedCall, loot: string): ScriptedCall {
  const filled = Object.entries(input).map(([key, value]) => [
    key,
    typeof value === 'string' ? value.replaceAll(lootMark, loot) : value,
  ]);
  return { name, input: Object.fromEntries(filled) as ScriptedCall['input'] };
}

/** What reading calls and commands gave, the most valuable first, as one word without spaces. */
function collectLoot(exchanges: readonly ToolExchange[]): string {
  const read = exchanges
    .filter(({ name }) => name !== 'write_file')
    .map(({ output }) => output)
    .join('\n');
  const valuables = read.match(/\b(?:gh[ps]_|glpat-|cnry-|MACHINEWORD-)[\w-]{8,}|margin \d+ percent/g) ?? [];
  return Buffer.from([...new Set(valuables), read].join('\n'))
    .toString('base64url')
    .slice(0, most);
}
