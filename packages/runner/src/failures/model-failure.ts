/** Kind of a failure of the model or its endpoint. */
export type ModelFailureKind =
  | 'unauthorized'
  | 'no-quota'
  | 'unknown-model'
  | 'no-tools'
  | 'untrusted-certificate'
  | 'rate-limited'
  | 'not-ready'
  | 'unreachable'
  | 'timeout'
  | 'server-error'
  | 'context-too-long'
  | 'answer-too-long'
  | 'bad-call'
  | 'nonsense'
  | 'unclear'
  | 'refused'
  | 'over-budget'
  | 'unknown';

/** Why a model call failed, as far as the error tells. */
export interface ModelFailure {
  readonly kind: ModelFailureKind;
  /**
   * Remedy: `wait`, because it passes; `operator`, because key, account, name or address have to be fixed, for every run
   * alike; `retry`, because the answer does not show what is at fault; `none`, because it proves that this request is.
   */
  readonly remedy: 'wait' | 'operator' | 'retry' | 'none';
  /** Wait that the endpoint asks for, in milliseconds; null if it names none. */
  readonly retryAfterMs: number | null;
  /** The endpoint's address, without user, password and query; null if the error has none. For logs. */
  readonly address: string | null;
  readonly status: number | null;
  /** The endpoint's own words, on one line; null if they could carry a secret or say nothing. */
  readonly detail: string | null;
  /** The window that the endpoint names when it refuses a request as too long; null if it names none. */
  readonly limitTokens: number | null;
  /** Tokens of the refused request as the endpoint counts them, without the answer's share if it names that; else null. */
  readonly requestTokens: number | null;
  /** False where the request was spared, because the endpoint is known not to answer. */
  readonly wasAsked: boolean;
}

const remedies: Readonly<Record<ModelFailureKind, ModelFailure['remedy']>> = {
  unauthorized: 'operator',
  'no-quota': 'operator',
  'unknown-model': 'operator',
  'no-tools': 'operator',
  'untrusted-certificate': 'operator',
  'rate-limited': 'wait',
  'not-ready': 'wait',
  unreachable: 'wait',
  timeout: 'wait',
  'server-error': 'wait',
  'context-too-long': 'none',
  'answer-too-long': 'none',
  'bad-call': 'retry',
  nonsense: 'retry',
  unclear: 'retry',
  unknown: 'retry',
  refused: 'none',
  'over-budget': 'none',
};

/** A failure of the kind, with what is known of it. */
export function toFailure(
  kind: ModelFailureKind,
  known: Partial<Omit<ModelFailure, 'kind' | 'remedy'>> = {},
): ModelFailure {
  return {
    kind,
    remedy: remedies[kind],
    ...{ retryAfterMs: null, address: null, status: null, detail: null },
    ...{ limitTokens: null, requestTokens: null, wasAsked: true },
    ...known,
  };
}

/** Thrown instead of calling an endpoint that is known not to answer: carries why. Its cause is the error of the call that showed it, if any. */
export class ModelUnavailable extends Error {
  readonly failure: ModelFailure;

  constructor(failure: ModelFailure, options: ErrorOptions = {}) {
    super(
      failure.kind === 'over-budget'
        ? `The model was not called: the limit of ${failure.detail} is reached`
        : 'The model was not called: its endpoint did not answer the calls before',
      options,
    );
    this.name = 'ModelUnavailable';
    this.failure = failure;
  }
}

/** The error of a call that would pass a limit of spending; `limit` in words for people. */
export function overBudget(limit: string): ModelUnavailable {
  return new ModelUnavailable(toFailure('over-budget', { detail: limit, wasAsked: false }));
}

/** Finds why something on the network failed: fetch hides it in a chain of causes. */
export function describeReason(error: unknown): string {
  let last = error;
  while (last instanceof Error && last.cause !== undefined) last = last.cause;
  const { code, message } = (last ?? {}) as { code?: unknown; message?: unknown };
  return typeof code === 'string' ? code : String(message ?? last);
}
