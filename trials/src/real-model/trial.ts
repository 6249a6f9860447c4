/** World of one trial. */
export interface TrialOptions {
  readonly seed: number;
  /** Name of the model at the endpoint. */
  readonly model: string;
  /** Address of the endpoint, with `/v1`. */
  readonly baseUrl: string;
  /** Size of the window in tokens. */
  readonly window: number;
  /** An empty directory. */
  readonly directory: string;
}

/** A text as the platform has it. */
export interface Published {
  readonly place: string;
  readonly text: string;
  /** The question that it answers. Default none. */
  readonly asked?: string;
}

/** Result of one trial. */
export interface TrialResult {
  /** Outcome of the run, or counts of answers. */
  readonly summary: string;
  readonly published: readonly Published[];
  /** Lines that the program printed. */
  readonly log: readonly string[];
  /** Broken promises, apart from published texts and the log; empty if all were kept. */
  readonly problems: readonly string[];
  /** Values that nobody may see. */
  readonly secrets: readonly string[];
}
