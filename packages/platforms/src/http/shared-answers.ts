/**
 * Answers of a platform that the processes of one credential keep for each other, so that what one has paid for costs the
 * others nothing. Neither key nor content can be read without the credential.
 */
export interface SharedAnswers {
  /** Finds what was last kept under a key; null for nothing. The content is left out where its ETag is the known one. */
  readonly read: (key: string, options: { readonly knownTag: string | null }) => Promise<FoundAnswer | null>;
  /** Replaces what is kept under a key. What was used longest ago may go for it. */
  readonly keep: (key: string, answer: KeptAnswer) => Promise<void>;
}

/** An answer, as it is kept. */
export interface KeptAnswer {
  /** Its ETag. */
  readonly tag: string;
  readonly content: Uint8Array;
}

/** An answer that is kept; the content is null where the ETag is the one that was asked with. */
export interface FoundAnswer {
  readonly tag: string;
  readonly content: Uint8Array | null;
}

/**
 * Creates a place for answers in memory, for several platforms in one process.
 *
 * @example
 * const answers = createMemorySharedAnswers();
 * const one = createGitHubPlatform({ token, repositories, answers });
 * const two = createGitHubPlatform({ token, repositories, answers });
 */
export function createMemorySharedAnswers(): SharedAnswers {
  const kept = new Map<string, KeptAnswer>();
  return {
    read: async (key, { knownTag }) => {
      const { tag, content } = kept.get(key) ?? { tag: null, content: null };
      return tag === null ? null : { tag, content: tag === knownTag ? null : content };
    },
    keep: async (key, answer) => void kept.set(key, answer),
  };
}
