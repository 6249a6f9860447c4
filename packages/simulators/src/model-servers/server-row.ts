/** Kinds of answers, each a column of the matrix. */
export const rowKinds = [
  'text',
  'tool call',
  'parallel calls',
  'reasoning',
  'refusal',
  'length limit',
  'overflow',
  'rate limit',
  'no credit',
  'wrong key',
  'malformed',
] as const;

/** Kind of an answer. */
export type RowKind = (typeof rowKinds)[number];

/** What becomes of a run whose model server gives an answer once. */
export type RowOutcome = 'works' | 'asked again' | 'retried' | 'waits' | 'operator' | 'too long' | 'fails';

/** Answer of a server, as it is sent. */
export interface ServerAnswer {
  /** Default 200. */
  readonly status?: number;
  /** Default JSON. */
  readonly contentType?: string;
  readonly text: string;
  /** Tells whether the text is that of the source, byte for byte, or has its fields and values in another form. */
  readonly isExact: boolean;
  /** Git's hash of the source, if the answer is a whole file. */
  readonly blob?: string;
  /** Page, fixture or report that the answer was taken from; null for an answer that is assumed. */
  readonly source: string | null;
  /** Date of the report, or of the commit with the fixture. */
  readonly date: string | null;
}

/** One answer of a server to a valid request. */
export interface ServerRow extends ServerAnswer {
  readonly kind: RowKind;
  /** Outcome that differs from that of the kind. */
  readonly expected?: RowOutcome;
}

/** Refusal of a request for a field. */
export interface FieldRefusal extends ServerAnswer {
  readonly field: string;
}

/** Requests that a server refuses, whatever its answers are. */
export interface ServerRules {
  /** Fields that it does not know. */
  readonly refuses?: readonly FieldRefusal[];
  /** Field of its messages with tool calls that has to come back. */
  readonly returns?: FieldRefusal;
}

/** Answers of one vendor's server, one of each kind. */
export interface ModelServerRows {
  readonly id: string;
  readonly name: string;
  readonly baseUrl: string;
  readonly rows: readonly ServerRow[];
  readonly rules: ServerRules;
}

/** Outcome of each kind, if a row names no other. */
export const usualOutcomes: Readonly<Record<RowKind, RowOutcome>> = {
  text: 'works',
  'tool call': 'works',
  'parallel calls': 'works',
  reasoning: 'works',
  refusal: 'asked again',
  'length limit': 'asked again',
  overflow: 'too long',
  'rate limit': 'waits',
  'no credit': 'operator',
  'wrong key': 'operator',
  malformed: 'retried',
};
