import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Patterns of what begins, in this order: files of which each takes longer than hundreds of the others, then those that start git again
 * and again, which takes the longer the more memory a worker has filled meanwhile.
 */
const first = [
  /\/(?:apps\/\w+\/test\/(?:e2e|kill|command-line)|examples|scripts\/(?:pack|bootstrap))\b/,
  /\/(?:packages\/(?:workspace|platforms)|simulators\/src\/git(?:hub|lab))\//,
];

/** Begins with what takes long, also in a clone where nothing was ever measured: no core waits for the last file. */
export class CostlyFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const place = ({ moduleId }: TestSpecification): number => {
      const found = first.findIndex((pattern) => pattern.test(moduleId));
      return found === -1 ? first.length : found;
    };
    return sorted.toSorted((one, other) => place(one) - place(other));
  }
}
