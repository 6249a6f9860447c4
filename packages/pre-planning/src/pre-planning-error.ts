/**
 * Code that a caller can act on. `model-unavailable`: the model could not be asked at all. `invalid-input`:
 * the caller left something out.
 */
export type PrePlanningErrorCode = 'model-unavailable' | 'invalid-input';

const marker = Symbol.for('@agent/pre-planning/PrePlanningError');

/**
 * The one error class of this package. After `model-unavailable` the phase can be called again with the state kept; the
 * other is repaired in the caller's code.
 *
 * @example
 * if (PrePlanningError.isInstance(error) && error.code === 'model-unavailable') await manager.execute({ request, state: manager.getState() });
 */
export class PrePlanningError extends Error {
  readonly code: PrePlanningErrorCode;

  constructor(code: PrePlanningErrorCode, message: string, options: ErrorOptions = {}) {
    super(message, options);
    this.name = 'PrePlanningError';
    this.code = code;
    Object.defineProperty(this, marker, { value: true });
  }

  /** Recognizes errors of every installed copy of this package. */
  static isInstance(value: unknown): value is PrePlanningError {
    return typeof value === 'object' && value !== null && (value as Record<symbol, unknown>)[marker] === true;
  }
}

/** A caller's mistake, by the name of what it left out. */
export function isMissing(name: string, kind: string): PrePlanningError {
  return new PrePlanningError('invalid-input', `"${name}" is missing or wrong: give ${kind}.`);
}
