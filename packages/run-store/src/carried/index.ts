export type { CarriedFiles } from './carried-files.ts';
export type { CarriedProcess, RecordMedium } from './carried-record.ts';
export { type CarriedStorageOptions, createCarriedStorage } from './carried-storage.ts';
