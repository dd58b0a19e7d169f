// The program that a subject's interpreter runs once to describe itself: `key=value` lines on stdout, line feeds and
// backslashes escaped. It must parse on any Python from 2.7 on, and imports no package.
#pragma once

namespace tare::measure {

/// sys.argv[1]: the oldest minor version of Python 3 that is supported; older ones describe only their version.
inline constexpr const char* kSubjectScript = R"PY(
import sys
sys.path[:] = [p for p in sys.path if p]
import os

def put(key, value):
    line = key + '=' + str(value).replace('\\', '\\\\').replace('\n', '\\n') + '\n'
    if sys.version_info[0] == 2:
        sys.stdout.write(line)
    else:
        sys.stdout.buffer.write(os.fsencode(line))

def guarded(function, otherwise):
    try:
        return function()
    except Exception:
        return otherwise

def mapped_libpython():
    import re
    with open('/proc/self/maps', 'rb') as maps:
        for line in maps:
            fields = os.fsdecode(line.rstrip(b'\n')).split(None, 5)
            if len(fields) == 6 and re.match(r'libpython\d+\.\d+\w*\.so', os.path.basename(fields[5])):
                return fields[5]
    return ''

def same_version_library():
    import mmap
    import sysconfig
    version = sys.version.split()[0].encode() + b'\0'  # PY_VERSION, a literal of getversion.c
    numbers = '%d.%d' % sys.version_info[:2]
    name = sysconfig.get_config_var('INSTSONAME') or ''
    names = [name] if '.so' in name else []
    names.append('libpython%s%s.so.1.0' % (numbers, sys.abiflags))
    folders = [sysconfig.get_config_var('LIBDIR') or '', os.path.join(sys.base_prefix, 'lib'),
               '/usr/lib/' + (sysconfig.get_config_var('MULTIARCH') or '')]
    for folder in folders:
        for name in names:
            path = os.path.join(folder, name)
            if os.path.isfile(path):
                with open(path, 'rb') as file:
                    with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
                        if data.find(b'\0' + version) >= 0:
                            return os.path.realpath(path)
    return ''

def numpy_folder():
    import importlib.util
    spec = importlib.util.find_spec('numpy')
    if spec is None or not spec.origin or not spec.submodule_search_locations:
        return ''
    return os.path.abspath(spec.submodule_search_locations[0])

def numpy_version(folder):
    import importlib.metadata
    for parent in ([os.path.dirname(folder)], sys.path):
        for distribution in importlib.metadata.distributions(name='numpy', path=parent):
            return distribution.version
    import re
    for name, pattern in (('version.py', r'^version\s*=\s*["\']([^"\']+)'), ('_version.py', r'"version":\s*"([^"]+)"')):
        if os.path.isfile(os.path.join(folder, name)):
            with open(os.path.join(folder, name)) as file:
                found = re.search(pattern, file.read(), re.M)
            if found:
                return found.group(1)
    return ''

def describe():
    import importlib.machinery
    import site
    put('abi', importlib.machinery.EXTENSION_SUFFIXES[0].strip('.').rpartition('.')[0])
    put('executable', sys.executable or '')
    put('real_executable', os.readlink('/proc/self/exe'))
    put('prefix', sys.prefix)
    put('base_prefix', sys.base_prefix)
    put('free_threaded', int('t' in sys.abiflags))
    put('debug', int(hasattr(sys, 'gettotalrefcount')))
    library = mapped_libpython()
    put('libpython_path', library)
    put('shared_libpython_candidate', '' if library else guarded(same_version_library, ''))
    folder = guarded(numpy_folder, '')
    put('numpy_path', folder)
    put('numpy_version', guarded(lambda: numpy_version(folder), '') if folder else '')
    watched = list(sys.path) + guarded(site.getsitepackages, [])
    if site.ENABLE_USER_SITE:
        watched.append(site.getusersitepackages())
    for path in sys.path:
        if os.path.basename(path) in ('site-packages', 'dist-packages'):
            put('site_packages', path)
            watched += [os.path.join(path, name) for name in guarded(lambda: os.listdir(path), []) if name.endswith('.pth')]
    if folder:
        watched.append(os.path.join(folder, 'version.py'))
    for path in sorted(set(os.path.abspath(p) for p in watched)):
        put('watch', path)

put('begin', 1)
put('version', sys.version.split()[0])
put('version_text', ' '.join(sys.version.split()))
put('implementation', 'pypy' if '__pypy__' in sys.builtin_module_names
    else getattr(getattr(sys, 'implementation', None), 'name', 'cpython'))
supported = sys.version_info >= (3, int(sys.argv[1]))
put('supported', int(supported))
if supported and sys.implementation.name == 'cpython':
    describe()
put('end', 1)
)PY";

}  // namespace tare::measure
