// Domain paths: the one name of a domain or folder, `/home/ann/run7`.
export type DomainPath = string & { readonly __path: 'DomainPath' }
