import assert from 'node:assert/strict';

/** A function of a port gives up at once, with the reason of the signal that it was given. */
export async function rejectsWithReason(call: (signal: AbortSignal) => Promise<unknown>): Promise<void> {
  const reason = new Error('the caller has had enough');
  await assert.rejects(call(AbortSignal.abort(reason)), (error) => error === reason);
}

/** A port's error is read by its code. */
export async function rejectsWithCode(call: Promise<unknown>, code: string): Promise<void> {
  await assert.rejects(call, (error) => {
    assert.equal((error as { code?: unknown }).code, code, String(error));
    return true;
  });
}

/** A value that has to be there for the rest of a case to mean anything. */
export function present<Value>(value: Value | null | undefined): Value {
  assert.ok(value !== null && value !== undefined, 'a value is missing');
  return value;
}

/** ISO 8601 that names its zone. */
export function assertTime(text: string | null): void {
  assert.match(text ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/u);
}

/** Letters, marks and code that careless adapters break. */
export const unusualText = '絵文字 👩‍👩‍👧 и العربية עברית\n\n```ts\nconst a = "<b>";\n```\n| a | b |';
