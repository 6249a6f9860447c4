import type { ConnectionOptions } from '../../src/http/connection-options.ts';
import type { Platform } from '../../src/index.ts';
import type { PlatformFixture } from '../../src/testing/index.ts';

/** A contract world on a server that can be made to fail. */
export interface HostedFixture extends PlatformFixture {
  readonly connect: (options?: Partial<ConnectionOptions>) => Platform;
  readonly simulator: {
    readonly requests: readonly { readonly method: string; readonly path: string }[];
    readonly fail: (failure: HostedFailure) => void;
  };
}

/** Failures that every simulated server knows. */
export interface HostedFailure {
  readonly method?: string;
  readonly path: string;
  readonly times?: number;
  readonly delayMs?: number;
  readonly kind:
    | 'server-error'
    | 'bad-gateway-html'
    | 'reset-connection'
    | 'reset-after-effect'
    | 'malformed-json'
    | 'slow';
}

/** One platform behind HTTP, and what its addresses are called. */
export interface HostedWorld<Fixture extends HostedFixture = HostedFixture> {
  readonly name: string;
  /** Runs one test in a world of its own. */
  readonly on: (test: (fixture: Fixture) => Promise<void>) => Promise<void>;
  /** Part of the address of comments, and the method that changes one. */
  readonly comments: { readonly path: string; readonly change: string };
  /** Part of the address of change requests. */
  readonly changeRequestPath: string;
  /** Numbers of the change requests that there are. */
  readonly changeRequests: (fixture: Fixture) => readonly number[];
}
