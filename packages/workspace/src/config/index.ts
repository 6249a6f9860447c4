export {
  type EnvironmentEntry,
  environmentsSchema,
  listRegistryVariables,
  protectedPathsSchema,
} from './environment-schemas.ts';
export { createProtection, type OperatorProtection, type ProtectPaths } from './protection.ts';
export {
  httpUrl,
  type McpServerConfig,
  mcpServersSchema,
  runCommandSchema,
  type SigningConfig,
  seconds,
  signingSchema,
  variableName,
} from './schemas.ts';
