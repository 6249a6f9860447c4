import type { FieldRefusal, ServerRow, ServerRules } from './server-row.ts';

/** Body of a request for a chat completion. */
export type SentRequest = Readonly<Record<string, unknown>> & {
  readonly messages: readonly { readonly tool_calls?: unknown }[];
};

/** Finds why a server would refuse a request whatever it answers otherwise; null if it would not. */
export function findRefusal(
  request: SentRequest,
  { row, rules }: { readonly row: ServerRow; readonly rules: ServerRules },
): FieldRefusal | null {
  const refused = rules.refuses?.find(({ field }) => field in request);
  const { returns } = rules;
  if (refused !== undefined || returns === undefined) return refused ?? null;
  const isGiven = row.text.includes(`"${returns.field}"`);
  const calling = request.messages.filter((message) => message.tool_calls !== undefined);
  const isReturned = calling.every((message) => JSON.stringify(message).includes(`"${returns.field}"`));
  return isGiven && !isReturned ? returns : null;
}
