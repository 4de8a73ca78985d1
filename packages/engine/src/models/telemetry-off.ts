/**
 * Without this, onnxruntime asks the name server for a host of its maker, keeps an id of the device and a database under
 * the user's cache folder and logs in the temporary one. It reads the variable once, when it is initialised. Children get
 * it with their environment; this is for whatever loads the engine into its own process.
 */
process.env.ORT_DISABLE_TELEMETRY = '1';
