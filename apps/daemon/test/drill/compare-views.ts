/** A problem of the service as one view shows it. */
export interface ShownProblem {
  readonly cause: string;
  /** Null if the view does not say what is wrong in words, as metrics. */
  readonly what: string | null;
  /** Milliseconds since 1970; null if the view does not say it. */
  readonly since: number | null;
  /** Null for a view that has no place for it, as metrics. */
  readonly remedy: string | null;
}

/** Answer of one view to "what is wrong?". */
export interface View {
  /** Such as `worker-1 /readyz`. */
  readonly name: string;
  /** Null if it did not answer. */
  readonly problems: readonly ShownProblem[] | null;
}

/** Problem that all views have to name. */
export interface ExpectedProblem {
  readonly cause: string;
  /** When the harm was done, in milliseconds since 1970. */
  readonly harmedAt: number;
  /** Text that the words of the problem contain, such as a name. */
  readonly names?: string | undefined;
}

/** Differences between two views that their clocks, roundings and the time between two requests explain. */
const toleranceMs = 5_000;
/** A silent process gave its last sign of life up to one renewal before it was harmed. */
const renewalMs = 15_000;

/** Compares what the views show with what happened, and with each other. @returns one line per difference */
export function findDisagreements(views: readonly View[], expected: ExpectedProblem): readonly string[] {
  if (views.length === 0) return ['no view was asked'];
  const shown = views.map(({ name, problems }) => ({ name, problem: findProblem(problems, expected) }));
  return [
    ...views.flatMap((view) => judgeView(view, expected)),
    ...compareStarts(shown),
    ...compareAll('remedies', shown, ({ problem }) => problem?.remedy ?? null),
    ...compareAll('causes', views, ({ problems }) => problems && formatCauses(problems)),
  ];
}

/** Lists the views that still name problems, besides known causes, or do not answer. */
export function findRemaining(
  views: readonly View[],
  known: ReadonlySet<string> = new Set(),
): readonly string[] {
  return views.flatMap(({ name, problems }) => {
    if (problems === null) return [`${name} does not answer`];
    const others = problems.filter(({ cause }) => !known.has(cause));
    return others.length === 0 ? [] : [`${name} still names ${formatCauses(others)}`];
  });
}

/** Lists the causes that any of the views names. */
export const listCauses = (views: readonly View[]): readonly string[] => [
  ...new Set(views.flatMap(({ problems }) => problems ?? []).map(({ cause }) => cause)),
];

/** The one that began first, of several with the same cause. */
function findProblem(problems: View['problems'], { cause }: ExpectedProblem): ShownProblem | null {
  const own = (problems ?? []).filter((one) => one.cause === cause);
  return own.toSorted((one, other) => (one.since ?? 0) - (other.since ?? 0))[0] ?? null;
}

function judgeView({ name, problems }: View, expected: ExpectedProblem): readonly string[] {
  const { cause, harmedAt, names } = expected;
  if (problems === null) return [`${name} does not answer`];
  const problem = findProblem(problems, expected);
  if (problem === null) return [`${name} does not name ${cause}, but ${formatCauses(problems) || 'nothing'}`];
  const { since, remedy, what } = problem;
  return [
    ...(since === null ? [`${name} does not say since when`] : []),
    ...(since !== null && since < harmedAt - renewalMs
      ? [`${name} says that it began ${Math.round((harmedAt - since) / 1_000)} s before the harm`]
      : []),
    ...(remedy === '' ? [`${name} does not say what to do`] : []),
    ...(names !== undefined && what !== null && !what.includes(names)
      ? [`${name} does not name ${names}: ${what}`]
      : []),
  ];
}

const formatCauses = (problems: readonly ShownProblem[]): string =>
  [...new Set(problems.map(({ cause }) => cause))].sort().join(', ');

interface NamedProblem {
  readonly name: string;
  readonly problem: ShownProblem | null;
}

function compareStarts(shown: readonly NamedProblem[]): readonly string[] {
  const known = shown.flatMap(({ name, problem }) =>
    problem === null || problem.since === null ? [] : [{ name, since: problem.since }],
  );
  const [first] = known.toSorted((one, other) => one.since - other.since);
  const last = known.toSorted((one, other) => other.since - one.since)[0];
  if (first === undefined || last === undefined || last.since - first.since <= toleranceMs) return [];
  const seconds = Math.round((last.since - first.since) / 1_000);
  return [`${first.name} and ${last.name} differ by ${seconds} s in the start`];
}

function compareAll<Answer extends { readonly name: string }>(
  what: string,
  answers: readonly Answer[],
  read: (answer: Answer) => string | null,
): readonly string[] {
  const known = answers.flatMap((answer) => {
    const text = read(answer);
    return text === null ? [] : [{ name: answer.name, text }];
  });
  const [first] = known;
  const other = known.find(({ text }) => text !== first?.text);
  if (first === undefined || other === undefined) return [];
  return [`${first.name} and ${other.name} differ in ${what}: "${first.text}", "${other.text}"`];
}
