// libcurl, which the process loads at its first use. Linking libcurl and libpq would load 22 libraries at every start,
// and take 4 ms more than the other 15 ms. Wrappers of the variadic functions of libcurl, which Swift cannot call, one
// for each type of argument; of options that depend on its version; and of a function that glibc declares for GNU
// sources only.

#ifndef CCURL_H
#define CCURL_H

// The type checks of libcurl require constant options.
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#include <pthread.h>

// Loads libcurl, which must precede every other call. Returns NULL, or the reason for a failure.
const char *ccurl_load(void);

extern CURLcode (*ccurl_setopt)(CURL *, CURLoption, ...);
extern CURLcode (*ccurl_getinfo)(CURL *, CURLINFO, ...);
extern CURLMcode (*ccurl_multi_setopt)(CURLM *, CURLMoption, ...);

typedef size_t (*ccurl_receive)(char *bytes, size_t size, size_t count, void *context);

static inline CURLcode ccurl_set_long(CURL *handle, CURLoption option, long value) {
  return ccurl_setopt(handle, option, value);
}

static inline CURLcode ccurl_set_size(CURL *handle, CURLoption option, curl_off_t value) {
  return ccurl_setopt(handle, option, value);
}

static inline CURLcode ccurl_set_text(CURL *handle, CURLoption option, const char *value) {
  return ccurl_setopt(handle, option, value);
}

static inline CURLcode ccurl_set_pointer(CURL *handle, CURLoption option, void *value) {
  return ccurl_setopt(handle, option, value);
}

static inline CURLcode ccurl_set_receive(CURL *handle, CURLoption option, ccurl_receive value) {
  return ccurl_setopt(handle, option, value);
}

static inline CURLcode ccurl_set_seek(CURL *handle, curl_seek_callback value) {
  return ccurl_setopt(handle, CURLOPT_SEEKFUNCTION, value);
}

// Signs the request by AWS Signature Version 4.
static inline CURLcode ccurl_set_signature(CURL *handle, const char *value) {
#if LIBCURL_VERSION_NUM >= 0x074B00
  return ccurl_setopt(handle, CURLOPT_AWS_SIGV4, value);
#else
  (void)handle, (void)value;
  return CURLE_UNKNOWN_OPTION;
#endif
}

// Returns whether a signature includes the headers of the request. Versions before 7.87 sign too few for Amazon S3.
static inline _Bool ccurl_signs_headers(void) {
  return curl_version_info(CURLVERSION_NOW)->version_num >= 0x075700;
}

// Allows no protocols but HTTP and HTTPS.
static inline CURLcode ccurl_set_http_only(CURL *handle) {
#if LIBCURL_VERSION_NUM >= 0x075500
  return ccurl_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
#else
  return ccurl_setopt(handle, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
}

// Otherwise, ending a transfer during name resolution would wait for the resolver, and block every other transfer.
static inline CURLcode ccurl_set_quick_exit(CURL *handle) {
#if LIBCURL_VERSION_NUM >= 0x075700
  return ccurl_setopt(handle, CURLOPT_QUICK_EXIT, 1L);
#else
  (void)handle;
  return CURLE_OK;
#endif
}

// Limits the age in seconds of a connection that a request reuses. Versions before 7.80 have no such limit.
static inline CURLcode ccurl_set_connection_lifetime(CURL *handle, long seconds) {
#if LIBCURL_VERSION_NUM >= 0x075000
  return ccurl_setopt(handle, CURLOPT_MAXLIFETIME_CONN, seconds);
#else
  (void)handle, (void)seconds;
  return CURLE_OK;
#endif
}

// Returns the status of the response, or 0.
static inline long ccurl_status(CURL *handle) {
  long status = 0;
  ccurl_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
  return status;
}

// Returns the pointer of CURLOPT_PRIVATE.
static inline void *ccurl_context(CURL *handle) {
  char *context = NULL;
  ccurl_getinfo(handle, CURLINFO_PRIVATE, &context);
  return context;
}

// Returns whether the request was sent at least once. libcurl sends it again if a reused connection closes.
static inline _Bool ccurl_was_sent(CURL *handle) {
  curl_off_t microseconds = 0;
  ccurl_getinfo(handle, CURLINFO_PRETRANSFER_TIME_T, &microseconds);
  return microseconds > 0;
}

// Returns the number of bytes of the body that were sent.
static inline curl_off_t ccurl_sent(CURL *handle) {
  curl_off_t size = 0;
  ccurl_getinfo(handle, CURLINFO_SIZE_UPLOAD_T, &size);
  return size;
}

static inline CURLMcode ccurl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
  return ccurl_multi_setopt(multi, option, value);
}

#ifdef __linux__
extern int pthread_setname_np(pthread_t, const char *);

// Names the calling thread. The name has at most 15 bytes.
static inline void ccurl_name_thread(const char *name) {
  pthread_setname_np(pthread_self(), name);
}
#endif

#endif
