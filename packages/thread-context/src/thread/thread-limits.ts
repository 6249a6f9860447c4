/** Limits on a transcript; both limits are inclusive. */
export interface ThreadLimits {
  readonly maxTurns: number;
  /** UTF-16 units of the whole transcript. */
  readonly maxChars: number;
}

/** @see seed 003 §4.2 (`MAX_THREAD_MESSAGES`) */
const defaultMaxMessages = 200;
/** @see seed 003 §4.2 (`MAX_TRANSCRIPT_CHARS`) */
const defaultMaxTranscriptChars = 20_000;

/** A role and the mark of a cut have to fit, or the newest turn could not survive. */
const leastTranscriptChars = 'assistant: ...'.length;

export interface ThreadLimitOptions {
  readonly maxMessages?: number | undefined;
  readonly maxTranscriptChars?: number | undefined;
  readonly onWarning?: ((message: string) => void) | undefined;
}

/** The limits to keep. One that makes no sense is ignored, with a warning (decision X1). */
export function toThreadLimits(options: ThreadLimitOptions): ThreadLimits {
  const { maxMessages, maxTranscriptChars, onWarning = () => {} } = options;
  const choose = (name: string, rule: { value: number | undefined; least: number; fallback: number }) => {
    const { value = rule.fallback, least, fallback } = rule;
    if (Number.isSafeInteger(value) && value >= least) return value;
    onWarning(`${name} must be a whole number from ${least}; got ${value}, using ${fallback}`);
    return fallback;
  };
  return {
    maxTurns: choose('maxMessages', { value: maxMessages, least: 1, fallback: defaultMaxMessages }),
    maxChars: choose('maxTranscriptChars', {
      value: maxTranscriptChars,
      least: leastTranscriptChars,
      fallback: defaultMaxTranscriptChars,
    }),
  };
}
