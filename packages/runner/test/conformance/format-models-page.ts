import {
  type ModelServerRows,
  type RowKind,
  rowKinds,
  type ServerRow,
  type ServerRules,
  usualOutcomes,
} from '@agent/simulators/model-servers';

interface PageOptions {
  /** Rows that failed before, as `server/kind`. */
  readonly failedBefore: ReadonlySet<string>;
}

const kindTexts: Readonly<Record<RowKind, string>> = {
  text: 'an answer in words',
  'tool call': 'one tool call',
  'parallel calls': 'several tool calls in one answer',
  reasoning: 'an answer with reasoning beside it',
  refusal: 'the model or a filter refuses',
  'length limit': 'the answer is cut at its maximum length',
  overflow: 'the conversation is longer than the context',
  'rate limit': 'a limit per minute or day',
  'no credit': 'the account has no credit',
  'wrong key': 'the API key is refused',
  malformed: 'an answer that is no answer, or a call that the server could not read',
};

const outcomeTexts = {
  works: 'the run continues',
  'asked again': 'the model is asked again',
  retried: 'the request is retried',
  waits: 'the run waits',
  operator: 'the run waits for the operator',
  'too long': 'the conversation is shortened',
  fails: 'the run fails with the reason',
} as const;

/** Formats the page on model servers: which answers are tried, and where they are from. */
export function formatModelsPage(servers: readonly ModelServerRows[], { failedBefore }: PageOptions): string {
  const cell = (server: ModelServerRows, row: ServerRow): string => {
    const mark = row.source === null ? 'assumed' : 'known';
    return failedBefore.has(`${server.id}/${row.kind}`) ? `${mark} †` : mark;
  };
  const known = servers.filter(({ rows }) => rows.some(({ source }) => source !== null));
  const table = [
    `| Server | ${rowKinds.join(' | ')} |`,
    `| --- |${' --- |'.repeat(rowKinds.length)}`,
    ...servers.map(
      (server) => `| ${server.name} | ${server.rows.map((row) => cell(server, row)).join(' | ')} |`,
    ),
  ];
  const sources = known.map((server) => {
    const lines = server.rows.flatMap((row) => (row.source === null ? [] : [formatSource(row)]));
    const rules = server.rules === undefined ? [] : [formatRules(server.rules)];
    return [`### ${server.name}`, '', `\`${server.baseUrl}\``, '', ...lines, ...rules].join('\n');
  });
  return [
    '# Model servers',
    '',
    '<!-- Generated from packages/runner/test/conformance. -->',
    '',
    `Each cell is an answer that a model server gives, and the tests run a task against it. ${servers.length} servers are listed; for ${known.length} of them at least one answer is taken from a public page, fixture or report. *Not verified live*: no vendor was called.`,
    '',
    '- **known**: the answer is taken from the source below, with its fields, values and error texts.',
    '- **assumed**: no answer was found. The tests use one in the common form of the OpenAI API. It does not count.',
    '- **†**: the run did not continue as it should before these servers were supported (commit 60917964).',
    '',
    ...table,
    '',
    '## What happens',
    '',
    '| Answer | Meaning | Result |',
    '| --- | --- | --- |',
    ...rowKinds.map((kind) => `| ${kind} | ${kindTexts[kind]} | ${outcomeTexts[usualOutcomes[kind]]} |`),
    '',
    '## Sources',
    '',
    ...sources.flatMap((source) => [source, '']),
  ].join('\n');
}

function formatSource({ kind, status = 200, source, date, expected }: ServerRow): string {
  const result = expected === undefined ? '' : `; ${outcomeTexts[expected]}`;
  return `- ${kind} (${status}${result}): <${source}>, ${date}`;
}

function formatRules({ refuses = [], returns, source }: ServerRules): string {
  const names = refuses.map(({ field }) => `\`${field}\``).join(' and ');
  const parts = [
    ...(names === '' ? [] : [`refuses the field ${names}`]),
    ...(returns === undefined ? [] : [`needs \`${returns.field}\` back with tool calls`]),
  ];
  return `- ${parts.join(', ')}: <${source}>`;
}
