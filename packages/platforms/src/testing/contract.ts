import assert from 'node:assert/strict';
import { describe, it } from 'vitest';

/** One promise of a port: a sentence, and a function that rejects where an adapter breaks it. */
export interface ContractCase<Fixture> {
  readonly name: string;
  readonly run: (fixture: Fixture) => Promise<void>;
}

/** Which adapter a suite is run on, and how its worlds are made. */
export interface ContractOptions<Fixture> {
  /** Which adapter this is, for the title. */
  readonly name: string;
  /** Makes a fresh world for each case; `close` is called after it. */
  readonly create: () => Promise<Fixture & { readonly close: () => Promise<void> }>;
  /**
   * Cases that this adapter, or what stands in for its platform, is known to fail. Each is run and has to fail, so
   * that a gap that was closed does not stay on the list.
   */
  readonly skip?: readonly { readonly reason: string; readonly test: string }[];
}

/** Runs one case in a world of its own. */
export async function runContractCase<Fixture>(
  contractCase: ContractCase<Fixture>,
  create: ContractOptions<Fixture>['create'],
): Promise<void> {
  const fixture = await create();
  try {
    await contractCase.run(fixture);
  } finally {
    await fixture.close();
  }
}

/** Turns the cases of a port into Vitest tests. */
export function describeContract<Fixture>(
  suite: { readonly port: string; readonly cases: readonly ContractCase<Fixture>[] },
  options: ContractOptions<Fixture>,
): void {
  const gaps = new Map((options.skip ?? []).map(({ test, reason }) => [test, reason]));
  const unknown = [...gaps.keys()].filter((name) => !suite.cases.some((one) => one.name === name));
  describe(`${options.name} as a ${suite.port}`, () => {
    for (const one of suite.cases) {
      const reason = gaps.get(one.name);
      if (reason === undefined) it(one.name, () => runContractCase(one, options.create));
      else it(`has a known gap (${reason}): ${one.name}`, () => expectToFail(one, options.create));
    }
    if (unknown.length > 0) {
      it('leaves out only cases that exist', () => {
        assert.fail(`The suite has no case named ${unknown.map((name) => JSON.stringify(name)).join(', ')}.`);
      });
    }
  });
}

async function expectToFail<Fixture>(
  one: ContractCase<Fixture>,
  create: ContractOptions<Fixture>['create'],
): Promise<void> {
  const passed = await runContractCase(one, create).then(
    () => true,
    () => false,
  );
  assert.equal(passed, false, `"${one.name}" passes now: take it off the skip list.`);
}
