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

/** A function of a port gives up at once, with the reason of the signal that it was given. */
export async function rejectsWithReason(call: (signal: AbortSignal) => Promise<unknown>): Promise<void> {
  const reason = new Error('the caller has had enough');
  const wanted = "a call that is given an aborted signal has to reject with the signal's reason";
  await assert.rejects(
    call(AbortSignal.abort(reason)),
    (error) => {
      assert.ok(error === reason, `${wanted}, but it rejected with "${error}"`);
      return true;
    },
    `${wanted}, but it did not reject`,
  );
}

/** A port's error is read by its code. */
export async function rejectsWithCode(call: Promise<unknown>, code: string): Promise<void> {
  const wanted = `the call has to reject with an error whose \`code\` is '${code}'`;
  await assert.rejects(
    call,
    (error) => {
      const given = (error as { code?: unknown }).code;
      assert.equal(given, code, `${wanted}, but it rejected with "${error}" (code: ${given})`);
      return true;
    },
    `${wanted}, but it did not reject`,
  );
}

/** A value that has to be there for the rest of a case to mean anything; `what` names it to whoever reads the failure. */
export function present<Value>(value: Value | null | undefined, what: string): Value {
  if (value === null || value === undefined) assert.fail(`${what} is missing: it is ${value}`);
  return value;
}

/** ISO 8601 that names its zone. */
export function assertTime(text: string | null): void {
  assert.match(
    text ?? '',
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/u,
    `a time has to be ISO 8601 with its zone, and is ${JSON.stringify(text)}`,
  );
}

/** Letters, marks and code that careless adapters break. */
export const unusualText = '絵文字 👩‍👩‍👧 и العربية עברית\n\n```ts\nconst a = "<b>";\n```\n| a | b |';
