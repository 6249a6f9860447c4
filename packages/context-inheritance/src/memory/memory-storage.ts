/** One document of a thread. */
export interface MemoryDocument {
  /** Up to 64 lower-case letters, digits, `-` and `.`; unique within the thread. */
  readonly key: string;
  /** JSON, without secrets. */
  readonly text: string;
}

/**
 * Stores documents by thread. A thread is any text, such as `github.com/acme/shop#42`. Several processes can use one storage at the
 * same time: each document is written by one run, and the last write of a document wins.
 */
export interface MemoryStorage {
  /** All documents of a thread, in any order; none for an unknown thread. Rejects if they could not be read. */
  readonly list: (thread: string) => Promise<readonly MemoryDocument[]>;
  /** Creates or replaces a document. It is durable once this resolves. Readers get the old text or the new one, never a part. */
  readonly write: (thread: string, document: MemoryDocument) => Promise<void>;
  /** Deletes a document; does nothing if it does not exist. */
  readonly remove: (thread: string, key: string) => Promise<void>;
}

/**
 * Creates a storage that lasts as long as the process, for tests.
 *
 * @example
 * const memory = createMemory({ storage: createTransientStorage() });
 */
export function createTransientStorage(): MemoryStorage {
  const threads = new Map<string, Map<string, string>>();
  return {
    list: async (thread) => [...(threads.get(thread) ?? [])].map(([key, text]) => ({ key, text })),
    write: async (thread, { key, text }) => {
      const documents = threads.get(thread) ?? new Map<string, string>();
      threads.set(thread, documents.set(key, text));
    },
    remove: async (thread, key) => {
      threads.get(thread)?.delete(key);
    },
  };
}
