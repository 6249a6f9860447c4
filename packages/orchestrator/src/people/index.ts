export {
  type ErasedPerson,
  type ErasurePlan,
  erasePerson,
  isNothingToErase,
  planErasure,
} from './erase-person.ts';
export { toPersonJson } from './export-person.ts';
export { erasedMark } from './redact-person.ts';
export { findStoredPerson, type PersonQuery, type StoredPerson } from './stored-person.ts';
