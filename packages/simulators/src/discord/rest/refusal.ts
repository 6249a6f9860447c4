import { RESTJSONErrorCodes } from 'discord-api-types/v10';

/** A request that Discord would refuse; it becomes the error answer. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: number;
  readonly errors: object | null;

  constructor(status: number, code: number, message: string, errors: object | null = null) {
    super(message);
    this.name = 'Refusal';
    this.status = status;
    this.code = code;
    this.errors = errors;
  }
}

/** A fault in one field of a body, in Discord's words. */
export function invalidField(path: readonly string[], code: string, message: string): Refusal {
  const errors = path.reduceRight<object>((inner, name) => ({ [name]: inner }), {
    _errors: [{ code, message }],
  });
  return new Refusal(400, RESTJSONErrorCodes.InvalidFormBodyOrContentType, 'Invalid Form Body', errors);
}

export const unknownChannel = () => new Refusal(404, RESTJSONErrorCodes.UnknownChannel, 'Unknown Channel');
export const unknownMessage = () => new Refusal(404, RESTJSONErrorCodes.UnknownMessage, 'Unknown Message');
export const missingAccess = () => new Refusal(403, RESTJSONErrorCodes.MissingAccess, 'Missing Access');
export const missingPermissions = () =>
  new Refusal(403, RESTJSONErrorCodes.MissingPermissions, 'Missing Permissions');
export const threadIsArchived = (status: 400 | 403) =>
  new Refusal(status, RESTJSONErrorCodes.InvalidActionOnArchivedThread, 'Thread is archived');
