import assert from 'node:assert/strict';

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
