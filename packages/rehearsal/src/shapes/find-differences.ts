import { compareShapes, type Difference, type Finding } from './compare-shapes.ts';
import discordReferences from './fixtures/discord-references.json' with { type: 'json' };
import models from './fixtures/model-answers.json' with { type: 'json' };
import references from './fixtures/references.json' with { type: 'json' };
import type { Exchange, Rehearsal } from './rehearsal.ts';
import { mergeShapes, type Shape } from './shape.ts';

/** Result of a comparison. */
export interface Comparison {
  /** Kinds of requests that were compared. */
  readonly compared: number;
  readonly differences: readonly Difference[];
  /** Names of the checks that failed: differences of time and of order show in them alone. */
  readonly failedChecks: readonly string[];
}

/** Answer of the simulators to one kind of request. */
export interface Reference {
  readonly service: string;
  readonly route: string;
  readonly status: number;
  /** Headers, whether all answers had them, and their words. */
  readonly headers: Readonly<
    Record<string, { readonly isAlways: boolean; readonly words: readonly string[] }>
  >;
  /** True if a full page had a `Link` header. */
  readonly isLinked: boolean;
  readonly answer: Shape;
}

/** Answer of a model server in the matrix of docs/reference/models.md. */
export interface ModelAnswer {
  /** Vendor; null for the common form that is assumed of all. */
  readonly server: string | null;
  readonly kind: string;
  readonly status: number;
  readonly answer: Shape;
}

const allReferences = [...references, ...discordReferences] as unknown as readonly Reference[];

/** Places of tool calls in the answers of all dialects. */
const toolCalls: readonly (readonly [path: string, kind: string])[] = [
  ['$.choices[].message.tool_calls[]', 'object'],
  ['$[].choices[].delta.tool_calls[]', 'object'],
  ['$.output[].type', '=function_call'],
  ['$[].item.type', '=function_call'],
  ['$.content[].type', '=tool_use'],
  ['$[].content_block.type', '=tool_use'],
];

/** Kinds of the matrix in which the answer is one of a model that works. Others can come with status 200, too. */
const working = new Set(['text', 'tool call', 'parallel calls', 'reasoning', 'refusal', 'length limit']);

/** Compares a rehearsal with the simulators, and the answers of its model with the matrix of model servers. */
export function findDifferences({ exchanges, checks }: Rehearsal): Comparison {
  const known = exchanges.filter(({ service }) => service !== 'other');
  return {
    compared: known.length,
    failedChecks: checks.flatMap(({ name, status }) => (status === 'failed' ? [name] : [])),
    differences: known.flatMap((exchange) =>
      [...findMissingCalls(exchange, exchanges), ...compareExchange(exchange)].map((finding) => ({
        exchange,
        finding,
      })),
    ),
  };
}

function compareExchange(exchange: Exchange): readonly Finding[] {
  const { service, route, status, failure } = exchange;
  // The daemon itself aborts requests when it stops.
  if (failure === 'aborted') return [];
  if (status === null || failure !== null)
    return [{ kind: 'no-answer', failure: failure ?? 'not connected' }];
  if (route === 'POST /chat/completions') return compareWithMatrix(exchange);
  const ofRoute = listReferences(service).filter((reference) => reference.route === route);
  // A model server has only some of the addresses at which the daemon looks for the properties of a model.
  if (ofRoute.length === 0) return service === 'model' ? [] : [{ kind: 'unknown-route' }];
  // An answer without change is possible wherever answers have an ETag.
  if (status === 304 && ofRoute.some(({ headers }) => 'etag' in headers)) return [];
  const ofStatus = ofRoute.filter((one) => one.status === status);
  // An answer as a stream is compared with a stream.
  const isSameRoot = ({ answer }: Reference): boolean =>
    answer.$?.some((kind) => exchange.answer?.$?.includes(kind)) === true;
  const reference = ofStatus.find(isSameRoot) ?? ofStatus[0];
  if (reference === undefined)
    return [{ kind: 'status', expected: ofRoute.map((one) => String(one.status)) }];
  return [
    ...compareHeaders(exchange, reference),
    ...(exchange.answer === null ? [] : compareShapes(reference.answer, exchange.answer)),
  ];
}

/** Headers that answers have for some kinds of tokens alone. */
const dependsOnToken = /^(?:x-oauth-scopes|x-accepted-.*|github-authentication-token-expiration)$/;

/** Headers whose form depends on the page of a list that is asked for. */
const dependsOnPage = (name: string): boolean =>
  name === 'link' || name === 'x-total' || (name.startsWith('x-') && name.includes('page'));

function compareHeaders(exchange: Exchange, reference: Reference): readonly Finding[] {
  const { headers, count, fullPages, linkedPages } = exchange;
  const missing = Object.entries(reference.headers).flatMap(([header, { isAlways }]): readonly Finding[] => {
    const lacking = count - (headers[header]?.count ?? 0);
    return isAlways && lacking > 0 && !dependsOnToken.test(header)
      ? [{ kind: 'missing-header', header, count: lacking }]
      : [];
  });
  const others = Object.entries(headers).flatMap(([header, { words }]): readonly Finding[] => {
    const expected = reference.headers[header]?.words;
    if (expected === undefined || dependsOnPage(header)) return [];
    const found = words.filter((word) => !expected.includes(word));
    return found.length === 0 ? [] : [{ kind: 'other-header', header, found, expected }];
  });
  const unlinked = fullPages - linkedPages;
  const link: readonly Finding[] =
    reference.isLinked && unlinked > 0 ? [{ kind: 'no-link', count: unlinked }] : [];
  return [...missing, ...others, ...link];
}

/** Compares answers to a request for a chat completion with the matrix of model servers, and with the simulators. */
function compareWithMatrix({ service, route, server, status, answer }: Exchange): readonly Finding[] {
  const simulated = listReferences(service).filter((reference) => reference.route === route);
  const matrix = (of: string | null) => [
    ...listModelAnswers(of).filter((row) => row.status !== 200 || working.has(row.kind)),
    ...simulated,
  ];
  const [rows, anywhere] = [server, null].map((of) => matrix(of).filter((row) => row.status === status));
  if (rows === undefined || rows.length === 0)
    return [
      { kind: 'status', expected: [...new Set(matrix(server).map((row) => String(row.status)))].sort() },
    ];
  if (answer === null) return [];
  // An answer as a stream is compared with streams.
  const comparable = [rows, anywhere ?? []]
    .map((list) => list.filter((row) => row.answer.$?.some((kind) => answer.$?.includes(kind))))
    .find((list) => list.length > 0);
  return compareShapes(mergeShapes((comparable ?? rows).map((row) => row.answer)), answer);
}

/** Finds a model that receives tools and never calls one: it cannot work on a task. */
function findMissingCalls(exchange: Exchange, all: readonly Exchange[]): readonly Finding[] {
  const isTried = exchange.status === 200 && exchange.request?.['$.tools']?.includes('array') === true;
  const ofRoute = all.filter(({ service, route }) => service === 'model' && route === exchange.route);
  const hasCall = ofRoute.some(({ answer }) =>
    toolCalls.some(([path, kind]) => answer?.[path]?.includes(kind) === true),
  );
  return isTried && !hasCall ? [{ kind: 'no-tool-calls' }] : [];
}

/** Lists what the simulators answer for a service. */
function listReferences(service: string): readonly Reference[] {
  return allReferences.filter((reference) => reference.service === service);
}

/** Lists the answers in the matrix of model servers: of one vendor, or of all for null. */
function listModelAnswers(server: string | null): readonly ModelAnswer[] {
  return (models as unknown as readonly ModelAnswer[]).filter(
    (one) => server === null || one.server === server || one.server === null,
  );
}

/** Makes references of the answers in a rehearsal with simulators. */
export function toReference(exchange: Exchange): readonly Reference[] {
  const { service, route, status, count, linkedPages, answer } = exchange;
  if (status === null || answer === null) return [];
  const headers = Object.entries(exchange.headers).map(([name, { count: found, words }]) => [
    name,
    { isAlways: found === count, words },
  ]);
  return [
    { service, route, status, headers: Object.fromEntries(headers), isLinked: linkedPages > 0, answer },
  ];
}
