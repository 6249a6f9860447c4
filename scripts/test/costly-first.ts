import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Patterns of what begins, in this order: files that start git hundreds of times, each of which copies the tables of all memory
 * that a worker has filled by then; then files of which each takes longer than hundreds of the others.
 */
const first = [
  /\/(?:packages\/(?:workspace\/src|platforms\/(?:test|src\/git(?:hub|lab))|orchestrator\/(?:test|src\/(?:past|inheritance)))|packages\/simulators\/src\/git(?:hub|lab))\//,
  /\/(?:apps\/\w+\/test\/(?:e2e|kill|command-line)|examples|scripts\/(?:pack|bootstrap))\b/,
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
