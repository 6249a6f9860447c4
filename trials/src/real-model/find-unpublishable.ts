/** Forms that no published text may have, by their names in reports. */
const rules: readonly (readonly [name: string, pattern: RegExp])[] = [
  [
    'template token',
    /<\|\/?[a-z_]+\|?>|<(?:start|end)_of_turn>|\[\/?INST\]|<\/?(?:bos|eos|s|pad)>|<unused\d+>/iu,
  ],
  ['reasoning mark', /<\/?(?:think|thinking|thought|thoughts|reason|reasoning|reflection)\b[^>]*>/iu],
  ['tool call', /\|\|call:|<\/?(?:tool_call|tool_calls|function_call|function|invoke)\b|\[TOOL_CALLS?\]/iu],
  ['tool call', /"(?:name|function|tool)"\s*:\s*"\w+"\s*,\s*"(?:arguments|parameters|input|params)"\s*:/u],
  [
    'JSON of a plan',
    /"(?:phase|goal_understanding|action_plan|task_understanding|subtasks|plan_revision|additional_actions|task_type)"\s*:/u,
  ],
  ['broken value', /\[object Object\]|^\W*(?:undefined|null|NaN)\W*$/u],
  ['stack trace', /^\s+at .+ \(?(?:file|node|\/).*:\d+:\d+\)?$/mu],
];

export interface UnpublishableOptions {
  /** Values that must not be seen. */
  readonly secrets: readonly string[];
  /** Names of tools; a call of one of them in code syntax is a tool call. */
  readonly tools: readonly string[];
  /** The question: an answer may contain a form of which the question has an example, since it was asked about it. Default ''. */
  readonly asked?: string | undefined;
}

/** Lists why a published text is not an answer; empty if it is one. Hidden comments of Markdown do not count. */
export function findUnpublishable(
  text: string,
  { secrets, tools, asked = '' }: UnpublishableOptions,
): readonly string[] {
  const visible = text.replaceAll(/<!--.*?-->/gsu, '');
  const called = new RegExp(`(?:^|[^\\w.\`])(?:${tools.join('|')})\\s*(?:\\(\\s*\\{|\\{\\s*")`, 'u');
  const found = rules.flatMap(([name, pattern]) => {
    const match = pattern.test(asked) ? null : pattern.exec(visible);
    return match === null ? [] : [`${name}: ${JSON.stringify(match[0].slice(0, 60))}`];
  });
  const call = tools.length === 0 ? null : called.exec(visible);
  return [
    ...found,
    ...(call === null ? [] : [`tool call: ${JSON.stringify(call[0])}`]),
    ...secrets.filter((secret) => text.includes(secret)).map(() => 'secret'),
  ];
}

/** Lists lines of a log that tell of a fault in the program. */
export function findLogFaults(lines: readonly string[]): readonly string[] {
  return lines.filter(isFault).map((line) => `log: ${line.slice(0, 300)}`);
}

const programErrors =
  /"(?:type|name)":"(?:TypeError|ReferenceError|RangeError|SyntaxError|AssertionError|ZodError)"/u;

function isFault(line: string): boolean {
  if (/unhandled(?:Promise)?\s?rejection|uncaught ?exception/iu.test(line)) return true;
  if (line.startsWith('{')) return programErrors.test(line);
  return /^\s+at .+:\d+:\d+\)?$/u.test(line) || /^(?:\w+Error|Error)\b.*:/u.test(line);
}
