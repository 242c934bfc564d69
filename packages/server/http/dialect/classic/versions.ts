// The versions in the description of the service (`/info`).

/**
 * The versions that programs for h5serv look for and print (classic 4): the level of the API, and libraries, which this
 * service does not have.
 */
export const CLASSIC_VERSIONS = {
  h5serv_version: '0.2',
  h5py_version: 'not used',
  hdf5_version: 'not used',
  'hdf5-json-version': 'not used',
}
