/** A comment as the seed's tasks return it. @see seed 001 §3.2 */
export interface SeedComment {
  readonly id: string | number;
  readonly author: string;
  readonly body: string;
  readonly created_at: string;
}

/** @see seed 001 §3.1 */
export interface SeedDetectionOptions {
  readonly getComments: () => Promise<readonly SeedComment[]>;
  readonly botUsername: string;
}

/** The seed's way: it remembers ids and compares. */
export interface SeedDetection {
  readonly initialize: () => Promise<void>;
  readonly checkForNewComments: () => Promise<readonly SeedComment[]>;
}

/** Lists everything at every check and keeps what it has not met. @see seed 001 §2.2.1, §3.1 */
export function createSeedDetection({ getComments, botUsername }: SeedDetectionOptions): SeedDetection {
  let lastCommentIds: ReadonlySet<string> = new Set();
  const idsOf = (comments: readonly SeedComment[]) => new Set(comments.map(({ id }) => String(id)));
  return {
    initialize: async () => {
      lastCommentIds = idsOf(await getComments());
    },
    checkForNewComments: async () => {
      const comments = await getComments();
      const fresh = comments.filter(({ id }) => !lastCommentIds.has(String(id)));
      lastCommentIds = idsOf(comments);
      return fresh.filter(({ author }) => author !== botUsername);
    },
  };
}
