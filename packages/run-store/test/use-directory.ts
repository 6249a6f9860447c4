import { afterEach, beforeEach } from 'vitest';
import { makeDirectory } from '../src/testing/store-setup.ts';

/** Gives each test a directory of its own, which is removed after it. */
export function useDirectory(): { readonly path: string } {
  let current: Awaited<ReturnType<typeof makeDirectory>>;
  beforeEach(async () => {
    current = await makeDirectory();
  });
  afterEach(() => current.remove());
  return {
    get path() {
      return current.path;
    },
  };
}
