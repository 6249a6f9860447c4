/** A request that waits until it is let go. */
export interface HeldRequest {
  /** Settles when the request is there and waits. */
  readonly arrived: Promise<void>;
  readonly release: () => void;
}

/** The two sides of a held request: whoever asked for it, and the server that holds it. */
export interface Hold {
  readonly held: HeldRequest;
  /** Says that the request is there; settles when it is let go. */
  readonly wait: () => Promise<void>;
}

export function createHold(): Hold {
  const arrived = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  return {
    held: { arrived: arrived.promise, release: released.resolve },
    wait: () => {
      arrived.resolve();
      return released.promise;
    },
  };
}
