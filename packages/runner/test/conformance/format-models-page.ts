import {
  listKnownAnswers,
  type ModelServerRows,
  type RowKind,
  rowKinds,
  type ServerAnswer,
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

/** Servers that count: at least one of their answers is from a public source, byte for byte. */
export function listCounting(servers: readonly ModelServerRows[]): readonly ModelServerRows[] {
  return servers.filter((server) => listKnownAnswers(server).some(({ isExact }) => isExact));
}

/** Formats the page on model servers: which answers are tried, and where they are from. */
export function formatModelsPage(servers: readonly ModelServerRows[], { failedBefore }: PageOptions): string {
  const counting = listCounting(servers);
  const cell = (server: ModelServerRows, row: ServerRow): string =>
    failedBefore.has(`${server.id}/${row.kind}`) ? `${markOf(row)} †` : markOf(row);
  const nameOf = (server: ModelServerRows): string =>
    counting.includes(server) ? server.name : `${server.name} (*assumed*)`;
  const table = [
    `| Server | ${rowKinds.join(' | ')} | refused fields |`,
    `| --- |${' --- |'.repeat(rowKinds.length + 1)}`,
    ...servers.map(
      (server) =>
        `| ${nameOf(server)} | ${server.rows.map((row) => cell(server, row)).join(' | ')} | ${formatRules(server.rules)} |`,
    ),
  ];
  const sources = servers
    .filter((server) => listKnownAnswers(server).length > 0)
    .map((server) =>
      [`### ${nameOf(server)}`, '', `\`${server.baseUrl}\``, '', ...formatSources(server)].join('\n'),
    );
  return [
    '# Model servers',
    '',
    '<!-- Generated from packages/runner/test/conformance. -->',
    '',
    `Each cell is an answer that a model server gives, and the tests run a task against it. ${servers.length} servers are listed. ${counting.length} of them count: at least one of their answers is taken byte for byte from a public page, fixture or report. *Not verified live*: no vendor was called.`,
    '',
    '- **exact**: the tests serve the bytes of the source below.',
    '- **known**: fields, values and error texts are those of the source below. The source stores them in another form, so that the bytes can differ.',
    '- **assumed**: no answer was found. The tests use one in the common form of the OpenAI API. A server whose name is marked so has no exact answer and does not count.',
    '- **†**: the run did not continue as it should at commit 60917964, where the work on model servers began. All rows were tried there with the same servers; an answer that is a stream, with a request for one.',
    '',
    ...table,
    '',
    '## What happens',
    '',
    '| Answer | Meaning | Result |',
    '| --- | --- | --- |',
    ...rowKinds.map((kind) => `| ${kind} | ${kindTexts[kind]} | ${outcomeTexts[usualOutcomes[kind]]} |`),
    '',
    'A request with a refused field is sent again without it. The process remembers the field for this endpoint and model.',
    '',
    '## Sources',
    '',
    ...sources.flatMap((source) => [source, '']),
  ].join('\n');
}

function markOf({ source, isExact }: ServerAnswer): string {
  if (source === null) return 'assumed';
  return isExact ? 'exact' : 'known';
}

function formatSources({ rows, rules: { refuses = [], returns } }: ModelServerRows): readonly string[] {
  const known = rows.filter(({ source }) => source !== null);
  const line = (text: string, answer: ServerAnswer): string =>
    `- ${text}; ${markOf(answer)}): <${answer.source}>, ${answer.date}`;
  return [
    ...known.map((row) => {
      const type = row.contentType?.includes('event-stream') ? ', stream' : '';
      const result = row.expected === undefined ? '' : `; ${outcomeTexts[row.expected]}`;
      return line(`${row.kind} (${row.status ?? 200}${type}${result}`, row);
    }),
    ...refuses.map((refusal) => line(`refuses the field \`${refusal.field}\` (${refusal.status}`, refusal)),
    ...[returns ?? []]
      .flat()
      .map((one) => line(`needs \`${one.field}\` back with tool calls (${one.status}`, one)),
  ];
}

function formatRules({ refuses = [], returns }: ServerRules): string {
  const refused = refuses.map((refusal) => `\`${refusal.field}\` ${markOf(refusal)}`);
  const needed = returns === undefined ? [] : [`without \`${returns.field}\` ${markOf(returns)}`];
  return [...refused, ...needed].join(', ') || 'assumed: none';
}
