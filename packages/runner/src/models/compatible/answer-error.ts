import { isRecord, type JsonRecord } from '@agent/text/json';

/** Error that an endpoint reports in a body, under whatever status. */
export interface AnswerError {
  /** Status by the code of the error; null if the error has no such code. */
  readonly status: number | null;
  /** The body in the one form that the SDK reads: `{ error: { message } }`, beside everything else that it contains. */
  readonly body: JsonRecord & { readonly error: JsonRecord };
}

/** Status of an error instead of an answer that names none: unlike 502, it says nothing that its words could contradict. */
export const unnamedStatus = 500;

/** Finds the error of a body that was sent under the status of an error; null for a body without a known form. */
export function findReportedError(value: unknown): AnswerError | null {
  // Google wraps its errors in an array.
  const body = Array.isArray(value) ? value[0] : value;
  if (!isRecord(body)) return null;
  const error = isRecord(body.error) ? body.error : body;
  const message = findMessage(body);
  if (message === null) return null;
  return {
    status: toStatus(error.code) ?? toStatus(error.status),
    body: { ...body, error: { ...error, message } },
  };
}

/** Finds the error instead of an answer that was sent under a status of success; null for an answer. */
export function findErrorInAnswer(value: unknown): AnswerError | null {
  const body = Array.isArray(value) ? value[0] : value;
  if (!isRecord(body) || hasAnswer(body)) return null;
  const [choice] = Array.isArray(body.choices) ? body.choices : [];
  const inChoice = isRecord(choice) && choice.error ? { error: choice.error } : null;
  const isError =
    Boolean(body.error) ||
    body.object === 'error' ||
    body.success === false ||
    (isRecord(body.base_resp) && body.base_resp.status_code !== 0);
  if (!isError && inChoice === null) return null;
  return findReportedError(isError ? body : inChoice);
}

function hasAnswer({ choices, output }: JsonRecord): boolean {
  if (Array.isArray(output) && output.length > 0) return true;
  if (!Array.isArray(choices)) return false;
  return choices.some((choice) => {
    const message = isRecord(choice) ? (choice.message ?? choice.delta) : null;
    if (!isRecord(message)) return false;
    const calls = Array.isArray(message.tool_calls) ? message.tool_calls.length : 0;
    return (
      calls > 0 ||
      (typeof message.content === 'string' ? message.content.trim() !== '' : Boolean(message.content))
    );
  });
}

/** Endpoints write `{ error: { message } }`, `{ error: "…" }`, `{ message }`, or `{ detail }` with a text or a list. */
function findMessage({
  error,
  errors,
  message,
  detail,
  msg,
  title,
  base_resp: base,
}: JsonRecord): string | null {
  const inError = isRecord(error)
    ? [error.message, error.detail, error.msg, error.type, error.code]
    : [error];
  const others = [message, detail, msg, title, isRecord(base) ? base.status_msg : null, errors];
  const texts = [...inError, ...others].map(toText);
  return texts.find((text) => text !== '') ?? (isRecord(error) ? JSON.stringify(error) : null);
}

function toText(value: unknown): string {
  if (typeof value === 'string') return value.trim();
  return value !== null && typeof value === 'object' && Object.keys(value).length > 0
    ? JSON.stringify(value)
    : '';
}

function toStatus(code: unknown): number | null {
  const status = typeof code === 'string' && /^\d{3}$/.test(code) ? Number(code) : code;
  return typeof status === 'number' && Number.isInteger(status) && status >= 400 && status <= 599
    ? status
    : null;
}
