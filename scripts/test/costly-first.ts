import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that start many processes; each takes longer than hundreds of the others. */
const costly = /\/(?:apps\/\w+\/test|examples|scripts\/(?:pack|bootstrap))\//;

/** Begins with what takes long, also in a clone where nothing was ever measured: no core waits for the last file. */
export class CostlyFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return [true, false].flatMap((wanted) =>
      sorted.filter(({ moduleId }) => costly.test(moduleId) === wanted),
    );
  }
}
